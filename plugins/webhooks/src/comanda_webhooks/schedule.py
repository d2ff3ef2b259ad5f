"""When a failed delivery is tried again."""

from datetime import datetime, timedelta
from random import Random

from comanda_webhooks.client import Answer

RETRY_DELAYS_SECONDS = (60, 300, 900, 3600)  # after the first, second, third and fourth attempt
MAX_ATTEMPTS = len(RETRY_DELAYS_SECONDS) + 1
JITTER = 0.15  # each way, so that what failed together does not come back together


def next_attempt_at(attempt: int, now: datetime, answer: Answer, rng: Random) -> datetime | None:
    """The moment of the next attempt, or None if there is none: delivered, given up, or refused for good (410).

    ``attempt`` is the number of the attempt that ``answer`` came from, 1 to 5. A receiver's ``Retry-After`` makes the
    wait longer, never shorter. Raises ``ValueError`` for an attempt below 1.
    """
    if attempt < 1:
        raise ValueError(f"attempts are counted from 1, not {attempt}")
    if answer.is_success or answer.is_gone or attempt >= MAX_ATTEMPTS:
        return None
    delay_seconds = RETRY_DELAYS_SECONDS[attempt - 1] * rng.uniform(1 - JITTER, 1 + JITTER)
    return now + timedelta(seconds=max(delay_seconds, answer.retry_after_seconds or 0))
