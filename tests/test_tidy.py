"""House rules that a linter does not know: sizes, docstrings, words, what the tree may hold."""

import ast
import importlib
import re
import statistics
import subprocess
from pathlib import Path

import pytest

from ledger.domain.events import LEDGER_EVENTS
from ops.migrate import migrations

ROOT = Path(__file__).parent.parent
PACKAGES = ("ledger", "games", "workers", "ops")
TOP_LEVEL = {"pyproject.toml", "README.md", "tests", *PACKAGES}
FUNCTION_LINES, MODULE_LINES, MEDIAN_LINES = 60, 400, 8


def tracked() -> list[Path]:
    """Every file that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).exists()]


def modules(*packages: str) -> list[Path]:
    """Every module of the given packages."""
    return [p for name in packages for p in sorted((ROOT / name).rglob("*.py"))]


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, nested ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    whole = (node.end_lineno or 0) - node.lineno + 1
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return whole - ((first.end_lineno or 0) - first.lineno + 1 if documented else 0)


def test_no_function_is_longer_than_sixty_lines_and_no_module_than_four_hundred():
    """Given all modules, then none passes the limits of size."""
    long_functions = [
        (str(path), node.name)
        for path in modules(*PACKAGES)
        for node in functions(path)
        if lines_of(node) > FUNCTION_LINES
    ]
    long_modules = [
        str(path)
        for path in modules(*PACKAGES)
        if len(path.read_text(encoding="utf-8").splitlines()) > MODULE_LINES
    ]

    assert ([], []) == (long_functions, long_modules)


def test_the_median_function_has_eight_lines_or_fewer():
    """Given all functions of the product, then half of them are short."""
    sizes = [lines_of(node) for path in modules(*PACKAGES) for node in functions(path)]

    assert statistics.median(sizes) <= MEDIAN_LINES


def test_every_module_says_what_it_is():
    """Given all modules and tests, then each begins with a docstring."""
    silent = [
        str(path)
        for path in modules(*PACKAGES, "tests")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert [] == silent


def test_every_test_is_a_sentence():
    """Given all tests, then each function says in a docstring what it shows."""
    silent = [
        f"{path.name}:{node.name}"
        for path in modules("tests")
        for node in functions(path)
        if node.name.startswith("test_") and not ast.get_docstring(node)
    ]

    assert [] == silent


def test_nothing_is_left_to_do_or_said_of_the_workplace():
    """Given all tracked files, then none holds a reminder, a package index or a word of tools."""
    words = [
        "TO" + "DO",
        "FIX" + "ME",
        "XX" + "X:",
        "py" + "pi",
        "python" + "hosted",
        "Clau" + "de",
    ]
    words += ["/wo" + "rk/", "issue" + " #", "../sha" + "red"]
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    found = []
    for path in tracked():
        if path.suffix in {".png", ".svg", ".pdf"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")

    assert [] == found


def test_the_top_level_holds_what_was_fixed_and_dotfiles_alone():
    """Given all tracked files, then their first folders are the fixed ones."""
    first = {path.relative_to(ROOT).parts[0] for path in tracked()}

    assert set() == {name for name in first if name not in TOP_LEVEL and not name.startswith(".")}


def test_every_glossary_row_names_something_that_exists():
    """Given the glossary, then each word's place in the code is there."""
    text = (ROOT / "ledger" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `([\w.]+):([\w.]+)` \|", text, re.MULTILINE)
    missing = []
    for module, name in rows:
        found = importlib.import_module(module)
        owner, _, member = name.partition(".")
        target = getattr(found, owner, None)
        fields = getattr(target, "model_fields", {}) or getattr(target, "__dataclass_fields__", {})
        if target is None or (member and member not in fields and not hasattr(target, member)):
            missing.append(f"{module}:{name}")

    assert len(rows) >= 30
    assert [] == missing


def test_the_guarantees_of_the_readme_are_held_by_tests_that_exist():
    """Given the README's list of guarantees, then each test that it names is in the tree."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_g\d+_\w+)`", text))
    written = {node.name for path in modules("tests") for node in functions(path)}

    assert {f"test_g{n}" for n in range(1, 11)} == {re.match(r"test_g\d+", n)[0] for n in named}
    assert set() == named - written


NAMES_ON_DISK = """
book-opened sheet-published maintenance-announced maintenance-ended conto-opened funds-deposited
funds-withdrawn payment-booked funds-transferred-to-posta funds-transferred-to-conto conto-suspended
conto-reinstated conto-excluded conto-closed participation-requested participation-validated
participation-rejected participation-annulled session-opened posta-funded session-disconnected
session-reconnected session-expired session-closed round-opened move-made bet-placed draw-recorded
payout-credited bet-refunded round-settled round-voided command-answered command-revoked
win-held double-up-staked double-up-resolved win-collected session-barred
account-type-set player-limits-set demo-round-played
series-prepared number-taken series-ended series-revealed series-expired
table-opened table-limits-set seat-taken seat-left table-round-opened bets-closed outcome-recorded
feed-message-refused table-round-settled table-round-voided refunds-made table-suspended
table-resumed table-closed session-seated session-unseated outcome-told
stake-imprisoned prisoner-stepped prisoner-moved prisoner-released stake-lost
table-round-joined stake-left
signing-key-rotated
shoe-shuffled dealing-begun card-dealt turn-taken box-decided
personal-data-disclosed
dispute-opened dispute-noted dispute-closed player-forgotten
correction-posted conto-corrected
conto-limit-set session-time-limited exclusion-revoked
difference-found difference-assigned difference-resolved difference-cleared
rtp-alert-raised rtp-alert-acknowledged
""".split()  # noqa: SIM905 - a list to be read


def test_g5_names_of_events_on_disk_never_change():
    """Given the recorded list of names, then every one of them is still an event."""
    assert NAMES_ON_DISK == [event.NAME for event in LEDGER_EVENTS]


def test_migrations_are_numbered_without_gaps():
    """Given the migrations, then their numbers run from one upwards."""
    numbers = [int(m.name[:4]) for m in migrations()]

    assert list(range(1, len(numbers) + 1)) == numbers


@pytest.mark.parametrize("folder", PACKAGES)
def test_every_package_is_importable_whole(folder):
    """Given a floor, then each of its modules can be imported by itself."""
    for path in modules(folder):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if not name.endswith("__main__"):
            importlib.import_module(name)
