"""What every event is made of: strict frozen records, a name on disk and a class version."""

from typing import Annotated, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, ge=1, le=2**31)]
Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2})*$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Frozen(BaseModel):
    """A strict, immutable record: no coercion, no unknown fields, tuples for collections."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True
    )


class Details(Frozen):
    """What a game adds to a bet, a move or an outcome; each game's own types extend this.

    Their `type` is a literal, by which the log is read again.
    """

    type: str
    """The stable name on disk of the game's type."""

    def words(self) -> str:
        """The details for a person, such as `split 17-20`; a game may say it better."""
        values = self.model_dump(mode="json", exclude={"type"}).values()
        lists = ("-".join(map(str, v)) if isinstance(v, list) else str(v) for v in values)
        return " ".join(lists)


def is_absent(value: object) -> bool:
    """Whether an optional field is left out of what is stored."""
    return value is None


D = TypeVar("D", bound=Details)


class Event(Frozen):
    """Base of all events; `NAME` is the name on disk, `VERSION` the version of the class."""

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1
