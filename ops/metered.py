"""The service with its metrics: refusals by code, and the latency of commands.

Only the process that answers knows them; money and rounds are read from the projections instead.
"""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from prometheus_client import Counter, Histogram
from typing_extensions import override

from ledger.answers import Answer
from ledger.domain.commands import Command
from ledger.service import Service

ACCEPTED: Final = "accepted"
COMMANDS: Final = Counter(
    "contoposta_commands", "Commands by kind and outcome: accepted, or the refusal's code.",
    ["kind", "outcome"],
)  # fmt: skip
LATENCY: Final = Histogram(
    "contoposta_command_seconds", "Time from a command to its durable answer.", ["kind"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0),
)  # fmt: skip


class MeteredService(Service):
    """The service, counting what it answers; a batch counts its time once for each command."""

    @override
    def handle(self, command: Command, now: datetime) -> Answer:
        """Answer one command and count it."""
        began = time.perf_counter()
        answer = super().handle(command, now)
        _count(answer, time.perf_counter() - began)
        return answer

    @override
    def handle_many(self, commands: Sequence[Command], now: datetime) -> tuple[Answer, ...]:
        """Answer many commands and count each."""
        began = time.perf_counter()
        answers = super().handle_many(commands, now)
        share = (time.perf_counter() - began) / max(len(answers), 1)
        for answer in answers:
            _count(answer, share)
        return answers


def _count(answer: Answer, seconds: float) -> None:
    kind = answer.answered.kind
    COMMANDS.labels(kind, answer.refusal or ACCEPTED).inc()
    LATENCY.labels(kind).observe(seconds)
