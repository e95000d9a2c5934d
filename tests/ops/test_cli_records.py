"""`report es` and `report nl`: what who answers to a foreign authority types, and what is told."""

import json
from pathlib import Path

import pytest

from tests.program import Shop, simulated_shop
from tests.workers.two_days import schemas

PROFILE = {"es": {"operator": "C001", "warehouse": "ALM01", "means": {"desk": 1}}}
CHANNEL = "desk"
DAY = ("report", "es", "--day", "2026-12-01")


@pytest.fixture(scope="module")
def told(forks, cluster, tmp_path_factory) -> Shop:
    """A player who bet once on the first of December, on the morning of the fourth."""
    folder = tmp_path_factory.mktemp("told")
    shop = simulated_shop(forks, cluster, folder)
    session = shop.session(shop.player("anna"))
    shop.say("play", session, '{"bets":[{"chance":"red","amount":"1.00"}]}')
    shop.say("session", "close", session)
    (folder / "clock").write_text("2026-12-04T09:00:00+00:00")
    shop.say("seal")
    (folder / "authorities.json").write_text(json.dumps(PROFILE))
    shop.settings = {**shop.settings, "AUTHORITIES": str(folder / "authorities.json")}
    return shop


def test_records_are_released_validated_and_rectified(told, tmp_path):
    """Given a day that is over, then its records are among the reports, and are rectified once."""
    first = told.quick(*DAY)
    assert (0, True) == (first.code, "no schema was given" in first.out), first

    again = told.say(*DAY, "--schema", str(schemas("es")))
    assert (1, 1, True, []) == tuple(
        again[name] for name in ("edition", "sequence", "validated", "findings")
    )
    folder = Path(told.settings["REPORTS"]) / "es"
    assert str(folder / "es-2026-12-01-CJD.xml") == again["files"][0]
    assert again["files"] == first.out.splitlines()[:-1]
    wrong = told.say(*DAY, "--rectify", "a wrong device", "--out", str(tmp_path / "out"))
    assert (2, 2, False) == tuple(wrong[name] for name in ("edition", "sequence", "validated"))
    assert sorted(wrong["files"]) == sorted(map(str, (tmp_path / "out").iterdir()))


def test_a_failing_control_ends_with_four_and_writes_no_file(told, tmp_path):
    """Given a channel that the profile does not name, then the reason is told, nothing written."""
    profile, out = tmp_path / "authorities.json", tmp_path / "out"
    profile.write_text('{"es": {"operator": "C001", "warehouse": "A"}}')

    for_people, done = (
        told.quick(*DAY, "--out", str(out), *more, AUTHORITIES=str(profile))
        for more in ((), ("--json",))
    )

    assert (4, 4) == (for_people.code, done.code)
    assert [("means-of-payment", CHANNEL)] == [
        (f["check"], f["place"]) for f in done.document["findings"]
    ]
    assert all(word in for_people.out for word in ("Blocked", "means-of-payment", CHANNEL))
    assert not out.exists()


WRONG = {
    "no period": (("report", "es"), "--day or --month"),
    "two periods": (("report", "es", "--day", "2026-12-01", "--month", "2026-12"), "one period"),
    "a month that is none": (("report", "es", "--month", "2026-13"), "Give a month"),
    "a month where days are told": (("report", "nl", "--month", "2026-11"), "with --day"),
    "an authority without a profile": (("report", "nl", "--day", "2026-12-01"), '"nl"'),
    "a folder without the schema": ((*DAY, "--schema", "/usr"), "DGOJ_Monitorizacion_3.3.xsd"),
}


@pytest.mark.parametrize(("arguments", "hint"), WRONG.values(), ids=WRONG)
def test_wrong_input_ends_with_two_and_says_what_to_give(told, tmp_path, arguments, hint):
    """Given wrong options or settings, then exit code 2, a hint, and no file."""
    done = told.quick(*arguments, "--out", str(tmp_path / "out"))

    assert (2, True) == (done.code, hint in done.err), done
    assert not (tmp_path / "out").exists()


def test_a_day_that_is_not_over_is_refused(told):
    """Given the fourth of December at ten, then it cannot be released; nor the third rectified."""
    done = told.quick("report", "es", "--day", "2026-12-04", "--json")
    early = told.quick("report", "es", "--day", "2026-12-03", "--rectify", "too early", "--json")

    assert (1, "day-not-over") == (done.code, done.refusal)
    assert (1, "nothing-to-rectify") == (early.code, early.refusal)


PROFILES = {
    "no JSON": ("{", "no JSON object"),
    "no object": ("[1]", "no JSON object"),
    "no file": (None, "cannot be read"),
    "a secret in a wrong place": (
        '{"es": {"operator": "C001", "password": "hunter2"}}',
        "warehouse",
    ),
    "an operator that is too long": ('{"es": {"operator": "C0001", "warehouse": "A"}}', "operator"),
    "a means that does not exist": (
        '{"es": {"operator": "C", "warehouse": "A", "means": {"card": 99}}}',
        "means.card",
    ),
}


@pytest.mark.parametrize(("text", "hint"), PROFILES.values(), ids=PROFILES)
def test_a_wrong_profile_is_told_by_its_places_and_never_repeated(program, tmp_path, text, hint):
    """Given a wrong file, then exit code 2, where it is wrong, and none of its values."""
    path = tmp_path / "authorities.json"
    if text is not None:
        path.write_text(text)

    done = program.quick(*DAY, AUTHORITIES=str(path))
    unset = program.quick(*DAY)

    assert (2, True, False) == (done.code, hint in done.err, "hunter2" in done.err), done
    assert (2, True) == (unset.code, "CONTOPOSTA_AUTHORITIES is not set" in unset.err)


def test_what_is_due_is_released_by_the_duty_and_told_by_the_register(told, tmp_path):
    """Given two days that are over in UTC, then the duty releases both, and they are listed."""
    profile = tmp_path / "authorities.json"
    profile.write_text('{"nl": {"operator": "C001", "data_safe": "safe-1", "instruments": {}}}')
    done = told.quick("duties", "release-records", "--json", AUTHORITIES=str(profile))
    assert (0, {"release-records": {"released": 2}}) == (done.code, done.document)
    lines = told.say("report", "records")
    assert [("nl", "2026-12-01", 1), ("nl", "2026-12-02", 1)] == [
        (line["authority"], line["period"], line["edition"]) for line in lines[-2:]
    ]
    assert "nl-2026-12-02.manifest.xml" in told.quick("report", "records").out


DOCUMENTS = {
    "no file": (None, "cannot be read"),
    "no object": ("[1]", "no JSON object"),
    "an authority that is none": ('{"fr": {}}', "names fr"),
}


@pytest.mark.parametrize(("text", "hint"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_duty_whose_document_cannot_be_used_ends_with_two(told, tmp_path, text, hint):
    """Given a wrong document, then exit code 2 and what is wrong with it."""
    path = tmp_path / "authorities.json"
    if text is not None:
        path.write_text(text)
    done = told.quick("duties", "release-records", AUTHORITIES=str(path))

    assert (2, True) == (done.code, hint in done.err), done
