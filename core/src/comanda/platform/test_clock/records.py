"""Records of the test clock."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ClockState:
    """The time of the test clock, and how far it is ahead of real time."""

    now: datetime
    offset_seconds: int
