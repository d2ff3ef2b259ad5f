"""The schedule of retries after a failed attempt."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

from comanda.contracts import RANDOM, RetrySchedule

from comanda_webhooks.client import ReceiverResponse

RETRIES: Final = RetrySchedule((60, 300, 900, 3600))


def get_next_attempt_at(
    attempt: int, now: datetime, response: ReceiverResponse, rng: Random = RANDOM
) -> datetime | None:
    """Return when to try again, or None if the delivery succeeded, is given up, or was refused for good (410).

    ``attempt`` is the number of the attempt that ``response`` belongs to, from 1. A receiver's ``Retry-After`` makes
    the wait longer, never shorter.
    """
    delay = RETRIES.get_delay(attempt, rng)
    if delay is None or response.is_success or response.is_gone:
        return None
    return now + max(delay, timedelta(seconds=response.retry_after_seconds or 0))
