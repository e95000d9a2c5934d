"""`simulate`: players who play by themselves, through the real service."""

from typing import Annotated

import typer

from ops.cli.output import Json, emit, fields
from ops.cli.progress import bar
from ops.cli.wiring import desk, settings
from ops.habits import MIXED
from ops.live_tables import is_live, simulate_live
from ops.shared import share_metrics
from ops.simulation import Plan, sheets, simulate as simulate_alone, strategies

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: contoposta simulate --players 4 --rounds 200 --seed 7")
def simulate(  # noqa: PLR0913 - one option for each field of the plan
    *,
    sheet: Annotated[str, typer.Option(help="A sheet's id.")] = "european-roulette-classic",
    players: Annotated[
        int, typer.Option("--players", "--seats", min=1, max=200, help="How many play, or sit.")
    ] = 4,
    rounds_each: Annotated[int, typer.Option("--rounds", min=1, max=100_000)] = 100,
    seed: Annotated[int, typer.Option(help="Of the players' habits; draws are never seeded.")] = 1,
    strategy: Annotated[
        str, typer.Option(help="How they play: mixed, and in Deuces Wild perfect or poor too.")
    ] = MIXED,
    as_json: Json = False,
) -> None:
    """Let players of several habits play, at a live table together, through the real service."""
    if sheet not in (there := sheets()):
        raise typer.BadParameter(f"There are players at these sheets: {', '.join(there)}.")
    if strategy not in (known := strategies(sheet)):
        raise typer.BadParameter(f"The players of this sheet play: {', '.join(known)}.")
    share_metrics(settings())
    plan = Plan(sheet, players, rounds_each, seed, strategy)
    with bar() as progress:
        task = progress.add_task("playing", total=players * rounds_each)
        run = simulate_live if is_live(sheet) else simulate_alone
        outcome = run(desk(), plan, lambda done: progress.advance(task, done))
    document = outcome.document()
    emit(document, lambda: fields(document), as_json=as_json)
