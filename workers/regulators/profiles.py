"""What authorities know the operator by: one JSON document, with an entry for each authority."""

from typing import Final

import orjson
from pydantic import ValidationError

from workers.regulators.authority import Authority, Profile

EXAMPLE: Final = "see ops/decisions/0043-records-of-spain-and-the-netherlands.md"


class ProfileError(ValueError):
    """The document says nothing, or something wrong, of an authority; the text says what to do."""


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
