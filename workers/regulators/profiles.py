"""What authorities know the operator by: one JSON document, with an entry for each authority."""

from typing import Final

import orjson
from pydantic import ValidationError

from workers.regulators.authority import Authority, Profile
from workers.regulators.registry import AUTHORITIES

EXAMPLE: Final = "see ops/decisions/0043-records-of-spain-and-the-netherlands.md"


class ProfileError(ValueError):
    """The document says nothing, or something wrong, of an authority; the text says what to do."""


def read_profiles(content: bytes) -> dict[str, Profile]:
    """The operator's profile with each authority of the document, by its code.

    Raises `ProfileError` with the places at fault, and where an authority is none of ours.
    """
    known = {authority.code: authority for authority in AUTHORITIES}
    try:
        codes = list(orjson.loads(content).keys())
    except (orjson.JSONDecodeError, AttributeError):
        raise ProfileError(f"The profile of authorities is no JSON object: {EXAMPLE}.") from None
    strange = ", ".join(sorted(code for code in codes if code not in known))
    if strange:
        listed = ", ".join(known)
        raise ProfileError(
            f"The profile of authorities names {strange}; records are written for: {listed}."
        )
    return {code: read_profile(known[code], content) for code in codes}


def read_profile(authority: Authority, content: bytes) -> Profile:
    """The operator's profile with an authority; raise `ProfileError` with the places at fault."""
    try:
        entry = orjson.loads(content)[authority.code]
    except (orjson.JSONDecodeError, LookupError, TypeError):
        raise ProfileError(
            f'The profile of authorities is no JSON object with an entry "{authority.code}": '
            f"{EXAMPLE}."
        ) from None
    try:
        return authority.profile.model_validate_json(orjson.dumps(entry))
    except ValidationError as error:
        places = ", ".join(".".join(map(str, e["loc"])) or "document" for e in error.errors())
        raise ProfileError(
            f'The profile of authorities is wrong or lacks something at "{authority.code}": '
            f"{places}; {EXAMPLE}."
        ) from None
