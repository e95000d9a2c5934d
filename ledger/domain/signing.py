"""Which key signs the checkpoints after which: a chain of rotations on record (G6)."""

from dataclasses import dataclass
from typing import Final

from ledger.domain.commands import RotateSigningKey
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    States,
    fold,
)
from ledger.domain.events import SigningKeyRotated
from ledger.domain.ids import SIGNING_KEY, StreamName
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class State:
    """Every key of the book in the order of use; none before the first rotation."""

    keys: tuple[str, ...] = ()

    @property
    def in_force(self) -> str | None:
        """The key that signs now; None where it was never changed and so is not on record."""
        return self.keys[-1] if self.keys else None


START: Final = State()


def _rotated(state: State, e: SigningKeyRotated) -> State:
    return State((*(state.keys or (e.old_key,)), e.new_key))


evolve = fold({SigningKeyRotated: _rotated})


def _reads(_: RotateSigningKey, __: States) -> tuple[StreamName, ...]:
    return (SIGNING_KEY,)


def _rotate(command: RotateSigningKey, states: States, _: Context) -> Decision:
    state: State = states[SIGNING_KEY]
    if _name(command.new_key) != _name(command.old_key):
        return Refusal(Code.MALFORMED, "Both keys must have the name of the log.")
    if state.in_force not in (None, command.old_key):
        return Refusal(
            Code.SIGNING_KEY_NOT_IN_FORCE, "Another key signs now; rotate from that one."
        )
    if command.new_key in (command.old_key, *state.keys):
        return Refusal(Code.SIGNING_KEY_USED, "This key has signed before; make a new one.")
    event = SigningKeyRotated(
        old_key=command.old_key,
        new_key=command.new_key,
        signature=command.signature,
        reason=command.reason,
    )
    return (Change(SIGNING_KEY, (event,)),)


def _name(key: str) -> str:
    return key.partition("+")[0]


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {RotateSigningKey: Handler(_reads, _rotate)}
