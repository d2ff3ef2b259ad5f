"""The schedule of retries."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from comanda_webhooks.client import ReceiverResponse
from comanda_webhooks.services.retry_schedule import RETRIES, get_next_attempt_at
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Fixed(Random):
    """A random generator that always returns the same point of a range: 0 the lower end, 1 the upper."""

    def __init__(self, point: float) -> None:
        super().__init__()
        self.point = point

    def random(self) -> float:
        return self.point


def response(
    status: int | None = 500, retry_after_seconds: int | None = None, error: str | None = None
) -> ReceiverResponse:
    return ReceiverResponse(status, "", error, retry_after_seconds, 5)


@pytest.mark.parametrize(
    ("attempt", "shortest", "longest"), [(1, 51, 69), (2, 255, 345), (3, 765, 1035), (4, 3060, 4140)]
)
def test_waits_grow_with_15_percent_jitter(attempt: int, shortest: int, longest: int) -> None:
    assert get_next_attempt_at(attempt, NOW, response(), Fixed(0.0)) == NOW + timedelta(seconds=shortest)
    assert get_next_attempt_at(attempt, NOW, response(), Fixed(1.0)) == NOW + timedelta(seconds=longest)


@given(st.integers(1, 4), st.integers(0, 2**32), st.integers(0, 3600) | st.none())
def test_wait_stays_in_bounds_and_respects_retry_after(
    attempt: int, seed: int, retry_after_seconds: int | None
) -> None:
    moment = get_next_attempt_at(attempt, NOW, response(503, retry_after_seconds), Random(seed))

    assert moment is not None
    wait_seconds = (moment - NOW).total_seconds()
    assert wait_seconds >= (retry_after_seconds or 0)
    assert 51 <= wait_seconds <= 4140


def test_jitter_differs_between_draws() -> None:
    rng = Random(1)
    assert len({get_next_attempt_at(1, NOW, response(), rng) for _ in range(20)}) == 20


def test_retry_after_only_lengthens_the_wait() -> None:
    assert get_next_attempt_at(1, NOW, response(429, 1800), Fixed(0.5)) == NOW + timedelta(seconds=1800)
    assert get_next_attempt_at(3, NOW, response(429, 20), Fixed(0.5)) == NOW + timedelta(seconds=900)


def test_there_are_five_attempts() -> None:
    assert RETRIES.max_attempts == 5
    assert get_next_attempt_at(4, NOW, response(), Fixed(0.5)) is not None
    assert get_next_attempt_at(5, NOW, response(), Fixed(0.5)) is None
    assert get_next_attempt_at(5, NOW, response(503, 600), Fixed(0.5)) is None


@pytest.mark.parametrize("status", [200, 201, 204, 299, 410])
def test_delivered_and_gone_are_not_retried(status: int | None) -> None:
    assert get_next_attempt_at(1, NOW, response(status), Fixed(0.5)) is None


@pytest.mark.parametrize("status", [None, 199, 300, 301, 400, 404, 429, 500, 503])
def test_everything_else_is_retried(status: int | None) -> None:
    assert get_next_attempt_at(1, NOW, response(status), Fixed(0.5)) is not None


def test_incomplete_2xx_response_is_retried() -> None:
    assert get_next_attempt_at(1, NOW, response(200, error="No complete answer."), Fixed(0.5)) is not None


def test_attempt_below_one_raises() -> None:
    with pytest.raises(ValueError, match="from 1"):
        get_next_attempt_at(0, NOW, response(), Fixed(0.5))
