"""`conto limit` and `conto allowance`: what is limited and what is left."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, get_args

import typer

from ledger.domain import commands as cmd, conto as con, conto_limits as lim
from ledger.domain.days import Period, day_of
from ledger.domain.events import ContoLimitSet, LimitKind
from ledger.domain.money import parse_amount
from ledger.domain.refusals import Refusal
from ops.cli.inputs import Actor, CommandId, Player
from ops.cli.output import Json, answered, emit, out, refuse, table
from ops.cli.wiring import CLERK, desk

NO_LIMITS: Final = "none"

_MINUTES: Final = re.compile(r"[1-9][0-9]{0,3}")


def set_limit(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    kind: Annotated[LimitKind, typer.Argument(help="What is limited.")],
    most: Annotated[
        str,
        typer.Argument(metavar="MOST", help="Such as 150.00, minutes of time, or none."),
    ],
    *,
    command_id: CommandId,
    period: Annotated[Period, typer.Option(help="Of Rome's calendar, weeks from Monday.")] = "day",
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Set a player's limit: a stricter one holds at once, a looser one after seven days."""
    wanted = most_of(kind, most)
    command = cmd.SetContoLimit(
        **desk(actor).head(command_id),
        player=player,
        limit=kind,
        period=period,
        most=wanted,
    )
    answer = desk(actor).handle(command)
    made = [e.event for e in answer.entries if isinstance(e.event, ContoLimitSet)]
    answered(answer, "".join(map(_sentence, made)), as_json=as_json)


def most_of(kind: LimitKind, text: str) -> int | None:
    """Minor units, or seconds for whole minutes of play; None for the word none."""
    if text == NO_LIMITS:
        return None
    if kind != "time":
        amount = parse_amount(text)
        if isinstance(amount, Refusal):
            raise typer.BadParameter(f"{amount.message} Or give the word none.")
        return amount
    seconds = int(text) * 60 if _MINUTES.fullmatch(text) else 0
    if not 0 < seconds <= lim.TIME_MAX:
        raise typer.BadParameter("Give whole minutes from 1 to 1439, or the word none.")
    return seconds


def _sentence(e: ContoLimitSet) -> str:
    most = lim.told(e.limit, e.most) or "no limit"
    since = "at once" if e.in_force_from == e.asked else f"from {e.in_force_from.isoformat()}"
    return f"{e.player}, {e.limit} of a {e.period}: {most}, {since}."


def allowance(player: Player, *, as_json: Json = False) -> None:
    """Show a player's limits in force and to come, what is used of them, and what is left."""
    holder = con.usable(desk().conto(player))
    if isinstance(holder, Refusal):
        refuse(holder, as_json=as_json)
    lines = list(_lines(holder, desk().clock()))

    def human() -> None:
        columns = ("limit", "of a", "most>", "used>", "left>", "until", "then>", "from")
        out.print(table(f"Allowance of {player}", columns, (tuple(x.values()) for x in lines)))

    emit({"player": player, "limits": lines}, human, as_json=as_json)


def _lines(holder: con.Conto, now: datetime) -> Iterator[dict[str, Any]]:
    """A line for each kind and period that is limited now or will be."""
    for kind in get_args(LimitKind):
        for period in lim.PERIODS:
            most = lim.in_force(holder.limits, kind, period, now)
            later = lim.waiting(holder.limits, kind, period, now)
            if most is not None or later is not None:
                yield {
                    "limit": kind,
                    "period": period,
                    "most": lim.told(kind, most),
                    **_used(holder, kind, period, now),
                    "until": lim.changes(holder.limits, kind, period, now).isoformat(),
                    "then": later and (lim.told(kind, later.most) or NO_LIMITS),
                    "from": later and later.since.isoformat(),
                }


def _used(holder: con.Conto, kind: LimitKind, period: Period, now: datetime) -> dict[str, Any]:
    """What is used of a limit, and what is left, time in whole seconds."""
    most = lim.in_force(holder.limits, kind, period, now)
    if kind == "time":
        spent = holder.tally.time_of(day_of(now), now) // timedelta(seconds=1)
    else:
        spent = lim.used(holder.tally, kind, period, now)
    left = None if most is None else max(0, most - spent)
    return {"used": lim.told(kind, spent), "left": lim.told(kind, left)}
