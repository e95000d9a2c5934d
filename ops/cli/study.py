"""The part of `rtp` that enumerates a game, keeps what it found, and holds the sheet against it."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import typer

from games.engine import (
    Bounds,
    Options,
    Return,
    Rulebook,
    Study,
    Variant,
    decimal_of,
    ratio_of,
)
from games.sheets import SheetFile
from ledger.domain.refusals import Refusal
from ledger.domain.sheets import text_hash
from ops import studies
from ops.cli.output import Exit, clean, emit, fields, out, refuse, table, warn
from ops.cli.progress import bar
from ops.settings import load_settings

FOLDER: Final = "studies"
"""Where studies are kept, below the home."""


def study(found: SheetFile, game: Rulebook[Any], options: Options, *, as_json: bool) -> None:
    """Print the study of a sheet; end with 4 when the sheet declares otherwise."""
    folder, key = load_settings().home / FOLDER, studies.key_of(found, options)
    document = studies.kept(folder, key)
    if document is None:
        made = _enumerated(found, game, options)
        if isinstance(made, Refusal):
            refuse(made, as_json=as_json)
        document = _document(found, made)
        _keep(folder, key, document)
    emit(document, lambda: _print(document), as_json=as_json)
    if not document["agrees"]:
        raise typer.Exit(Exit.FOUND)


def _enumerated(found: SheetFile, game: Rulebook[Any], options: Options) -> Study | Refusal:
    if game.study is None:
        named = " and ".join(f"--{name}" for name in options)
        raise typer.BadParameter(f"There is no {named} for {found.sheet}: leave it out.")
    with bar() as progress:
        task = progress.add_task("enumerating", total=None)
        return game.study(
            game.engine.read_sheet(found.text),
            options,
            lambda done, total: progress.update(task, completed=done, total=total),
        )


def _keep(folder: Path, key: studies.Key, document: Mapping[str, Any]) -> None:
    """What was found is told, whether or not it can be kept."""
    try:
        studies.keep(folder, key, document)
    except OSError as error:
        warn(clean(f"The study is not kept in {folder}: {error.strerror}."))


def _document(found: SheetFile, made: Study) -> dict[str, Any]:
    return {
        "sheet": found.sheet,
        "version": found.version,
        "hash": text_hash(found.text),
        "engine": found.engine,
        "kind": made.found.kind,
        **_figures(made.found),
        "percent": decimal_of(made.found.expected * 100, 4),
        "deviation": f"{made.found.deviation:.6f}",
        "declared": _figures(made.declared),
        "agrees": made.agrees,
        **({} if made.bounds is None else _within(made.bounds)),
        "variants": [_variant(each) for each in made.variants],
        "frequencies": [_frequency(*each) for each in made.frequencies.items()],
    }


def _figures(figures: Return) -> dict[str, str]:
    return {"fraction": ratio_of(figures.expected), "variance": ratio_of(figures.variance)}


def _within(bounds: Bounds) -> dict[str, str]:
    return {
        "at_least": decimal_of(bounds.low, _BOUND_PLACES),
        "at_most": decimal_of(bounds.high, _BOUND_PLACES),
    }


def _variant(variant: Variant) -> dict[str, str]:
    return {
        "rules": variant.name,
        "percent": decimal_of(variant.expected * 100, 4),
        "staked": decimal_of(variant.staked, 6),
        "house_edge": decimal_of(variant.house_edge * 100, 4),
    }


_BOUND_PLACES: Final = 9


def _frequency(name: str, chance: Fraction) -> dict[str, Any]:
    return {
        "category": str(name),
        "fraction": ratio_of(chance),
        "percent": decimal_of(chance * 100, 6),
        "one_in": decimal_of(1 / chance, 2) if chance else None,
    }


def _print(document: Mapping[str, Any]) -> None:
    listed = {"sheet", "version", "hash", "engine", "variants", "frequencies"}
    fields({name: told for name, told in document.items() if name not in listed})
    title = f"{document['sheet']} version {document['version']}"
    if document["variants"]:
        rows = [tuple(row.values()) for row in document["variants"]]
        columns = ("rules", "percent>", "staked for each first bet>", "house edge, percent>")
        out.print(table(f"{title}, by its rules and with one of them changed", columns, rows))
    rows = [tuple(row.values()) for row in document["frequencies"]]
    columns = ("category", "fraction", "percent>", "one in>")
    out.print(table(f"{title}, how often it goes so", columns, rows))
    if not document["agrees"]:
        warn("The sheet declares otherwise: publish a version that declares what is found here.")
