"""Retry schedule of messages."""

from datetime import datetime
from typing import Final

from comanda.contracts import RetrySchedule

RETRIES: Final = RetrySchedule((30, 120, 600, 3600))


def get_next_attempt_at(attempt: int, now: datetime, expires_at: datetime | None) -> datetime | None:
    """Return the time of the attempt after attempt number ``attempt``, from 1, or None.

    There is none after the last attempt, nor at or after ``expires_at``.
    """
    delay = RETRIES.get_delay(attempt)
    if delay is None:
        return None
    moment = now + delay
    return None if expires_at is not None and moment >= expires_at else moment
