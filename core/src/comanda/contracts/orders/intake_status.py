"""The intake status of a store: online, busy or paused, until a time."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


class State(StrEnum):
    """Online takes orders as ever, busy takes longer for them, paused takes none from guests."""

    ONLINE = "online"
    BUSY = "busy"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class IntakeStatus:
    """Whether a store takes orders as usual, slowly or not at all, until when, why, and who said so.

    ``source`` is an actor, such as ``staff:7``. Without ``until`` it holds for good.
    """

    status: State
    delay_minutes: int
    until: datetime | None
    reason: str | None
    source: str | None

    def at(self, moment: datetime) -> "IntakeStatus":
        """Return the pace at a moment: this, or online where it is over by then."""
        return self if self.until is None or moment < self.until else ONLINE


ONLINE: Final = IntakeStatus(State.ONLINE, delay_minutes=0, until=None, reason=None, source=None)
