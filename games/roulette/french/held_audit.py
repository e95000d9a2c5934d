"""What a number leaves undecided, by a second method: the prison as a chain, and held wins.

Source: rules of French roulette, on zero and the imprisoned stakes, and on winnings that are not
collected; the published sheet has their figures.
"""

from collections.abc import Sequence

from games.auditing import Fields
from games.roulette.auditing import CHANCES, placement
from games.roulette.french.auditing import Colpo, Prisoner, sums_of


def chain(levels: int) -> dict[tuple[int, str], int | str]:
    """Where a prisoner goes from each level: to another one, or how its bet is over."""
    goes: dict[tuple[int, str], int | str] = {}
    for level in range(1, levels + 1):
        goes[level, "zero"] = level + 1
        goes[level, "won"] = level - 1
        goes[level, "lost"] = "lost"
    return goes | {(levels, "zero"): "divided", (1, "won"): "freed"}


def spin(colpo: Colpo, pocket: int) -> None:
    """What a number makes of each stake in prison."""
    goes = chain(len(colpo.trail.game["prison"]["worth"]))
    for bet, held in list(colpo.prison.items()):
        won = "won" if pocket in CHANCES[held.chance] else "lost"
        _go(colpo, bet, held, goes[held.level, "zero" if pocket == 0 else won])


def _go(colpo: Colpo, bet: int, held: Prisoner, goes: int | str) -> None:
    if isinstance(goes, int):
        held.level = goes
        colpo.trail.expect("prisoner-stepped", bet=bet, level=goes)
        return
    divided = colpo.trail.game["prison"]["divided"]
    shares = {"freed": "1/1", "lost": "0/1", "divided": divided}
    colpo.release(bet, goes, share(held.stake, shares[goes]))


def dispose(colpo: Colpo, choices: Sequence[Fields]) -> None:
    """Before the spin a player withdraws, leaves or moves what is in prison, each stake once."""
    trail = colpo.trail
    if not choices or len({choice["bet"] for choice in choices}) != len(choices):
        trail.wrong("a stake in prison is named once")
    for choice in choices:
        bet, to = choice["bet"], choice["to"]
        match choice["choice"], to:
            case "withdraw", None:
                _withdraw(colpo, bet)
            case "move", _ if to != colpo.prison[bet].chance:
                colpo.prison[bet].chance = to
                trail.expect("prisoner-moved", bet=bet, details=placement(CHANCES[to]))
            case "leave", None if bet in colpo.prison:
                pass
            case _:
                trail.wrong("a stake in prison is withdrawn, left, or moved to another chance")
    colpo.settle()


def _withdraw(colpo: Colpo, bet: int) -> None:
    held = colpo.prison[bet]
    worth = colpo.trail.game["prison"]["worth"][held.level - 1]
    colpo.release(bet, "withdrawn", share(held.stake, worth))


def withdraw_all(colpo: Colpo) -> None:
    """At the end of a session the rules withdraw what is in prison."""
    for bet in list(colpo.prison):
        _withdraw(colpo, bet)
    colpo.settle()


def share(stake: int, ratio: str) -> int:
    """So much of a stake as a ratio such as `1/8` says, half a minor unit and more rounded up."""
    part, of = map(int, ratio.split("/"))
    whole, rest = divmod(stake * part, of)
    return whole + (2 * rest >= of)


def join(colpo: Colpo) -> None:
    """The table opens its next round: stakes that won play on there as new bets, or are held.

    A position below the least of that round is held, and all where none may play on.
    """
    trail = colpo.trail
    if not colpo.left:
        trail.wrong("no stake that won lies on the table")
    joined = trail.take()
    trail.of_type(joined["details"], ["french-left"])
    if joined["plays_on"]:
        colpo.place = joined["table"]
    sums = sums_of(colpo.left)
    for bet, lying in list(colpo.left.items()):
        if joined["plays_on"] and sums[lying.numbers] >= colpo.limits["min"]:
            colpo.play_on(bet)
        else:
            _set_aside(colpo, bet)


def collect_by_rule(colpo: Colpo) -> None:
    """At the end of a session the rules collect what is held, after what is in prison is out."""
    if colpo.prison:
        colpo.trail.wrong("the rules withdraw what is in prison, and then collect")
    collect(colpo)


def collect(colpo: Colpo) -> None:
    """Take all that is held, and what lies between rounds."""
    if colpo.lying or not colpo.win:
        colpo.trail.wrong("what is held is collected when no bet lies, and not when nothing is")
    for bet in list(colpo.left):
        _set_aside(colpo, bet)
    colpo.trail.expect("win-collected", amount=colpo.win)
    colpo.win = 0
    colpo.settle()


def _set_aside(colpo: Colpo, bet: int) -> None:
    colpo.hold(bet, 0, colpo.left.pop(bet).amount)
