"""Retry schedule of messages."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

RETRY_DELAYS_SECONDS: Final = (30, 120, 600, 3600)  # after the first, second, third and fourth attempt
MAX_ATTEMPTS: Final = len(RETRY_DELAYS_SECONDS) + 1
JITTER: Final = 0.15  # each way, so that messages that failed together are not retried together


def get_next_attempt_at(attempt: int, now: datetime, expires_at: datetime | None, rng: Random) -> datetime | None:
    """Return the time of the attempt after attempt number ``attempt``, from 1, or None.

    There is none after the last attempt, nor at or after ``expires_at``.
    """
    if attempt >= MAX_ATTEMPTS:
        return None
    moment = now + timedelta(seconds=RETRY_DELAYS_SECONDS[attempt - 1] * rng.uniform(1 - JITTER, 1 + JITTER))
    return None if expires_at is not None and moment >= expires_at else moment
