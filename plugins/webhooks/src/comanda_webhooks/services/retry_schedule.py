"""The schedule of retries after a failed attempt."""

from datetime import datetime, timedelta
from random import Random

from comanda_webhooks.client import ReceiverResponse

RETRY_DELAYS_SECONDS = (60, 300, 900, 3600)  # after the first, second, third and fourth attempt
MAX_ATTEMPTS = len(RETRY_DELAYS_SECONDS) + 1
JITTER_RATIO = 0.15  # each way, so that deliveries that failed together are not retried together


def get_next_attempt_at(attempt: int, now: datetime, response: ReceiverResponse, rng: Random) -> datetime | None:
    """Return when to try again, or None if the delivery succeeded, is given up, or was refused for good (410).

    ``attempt`` is the number of the attempt that ``response`` belongs to, 1 to 5. A receiver's ``Retry-After`` makes
    the wait longer, never shorter. Raises ``ValueError`` for an attempt below 1.
    """
    if attempt < 1:
        raise ValueError(f"attempts are numbered from 1, not {attempt}")
    if response.is_success or response.is_gone or attempt >= MAX_ATTEMPTS:
        return None
    delay_seconds = RETRY_DELAYS_SECONDS[attempt - 1] * rng.uniform(1 - JITTER_RATIO, 1 + JITTER_RATIO)
    return now + timedelta(seconds=max(delay_seconds, response.retry_after_seconds or 0))
