"""When a message that did not get through is tried again."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

RETRY_DELAYS_SECONDS: Final = (30, 120, 600, 3600)  # after the first, second, third and fourth attempt
MAX_ATTEMPTS: Final = len(RETRY_DELAYS_SECONDS) + 1
JITTER: Final = 0.15  # each way, so that what failed together does not come back together


def get_next_attempt_at(attempt: int, now: datetime, expires_at: datetime | None, rng: Random) -> datetime | None:
    """The moment of the attempt after the one numbered ``attempt``, from 1, or None if there is none.

    There is none after the last, nor where it would come too late to be worth making.
    """
    if attempt >= MAX_ATTEMPTS:
        return None
    moment = now + timedelta(seconds=RETRY_DELAYS_SECONDS[attempt - 1] * rng.uniform(1 - JITTER, 1 + JITTER))
    return None if expires_at is not None and moment >= expires_at else moment
