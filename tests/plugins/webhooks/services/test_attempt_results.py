"""The results of attempts."""

import asyncio
import itertools
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from comanda.platform.db import sql
from comanda_webhooks.client import HttpReceiver, ReceiverResponse
from comanda_webhooks.services import attempt_results
from comanda_webhooks.services.attempt_results import get_next_attempt_at
from comanda_webhooks.services.sender import create_work
from comanda_webhooks.settings import get_allowed_targets
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_status_410_disables_endpoint_and_emits_event(
    inbox, create_endpoint, emit_events, sender, get_deliveries, published, client, owner
):
    inbox.status = 410
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    await sender.process_all_due()
    await emit_events()

    assert await sender.process_all_due() == 0
    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["attempts"]) == ("failed", 1)
    shown = await (await client.get(f"/api/v1/webhook-endpoints/{endpoint['id']}", headers=owner.auth)).get_json()
    assert (shown["is_paused"], shown["disabled_reason"]) == (True, "gone")
    told = {"endpoint_id": endpoint["id"], "url": inbox.url, "reason": "gone"}
    assert await published() == [("webhook_endpoint.disabled", told)]


async def test_result_after_lost_lease_is_dropped(
    inbox, create_endpoint, emit_events, receiver, sender, get_deliveries, clock, new_consumer
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    inbox.is_open.clear()
    late = asyncio.create_task(sender.process_all_due())
    await inbox.wait_for(1)
    clock.advance(seconds=create_work(receiver).limits.lease.total_seconds())
    second = asyncio.create_task(new_consumer(receiver).process_all_due())
    await inbox.wait_for(2)
    inbox.is_open.set()

    await asyncio.gather(late, second)

    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["attempts"]) == ("delivered", 1)
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_attempt WHERE delivery_id = $1", row["id"]) == 1
    assert inbox.received[0].id == inbox.received[1].id


async def test_missing_response_is_logged_with_reason(
    inbox, create_endpoint, emit_events, sender, get_deliveries, new_consumer
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    inbox.is_open.clear()

    async with HttpReceiver(allowed=get_allowed_targets(), timeout_seconds=0.05) as impatient:
        await new_consumer(impatient).process_all_due()

    [row] = await get_deliveries(endpoint)
    attempt = await sql.fetch_one("SELECT * FROM webhooks_attempt WHERE delivery_id = $1", row["id"])
    assert (row["status"], row["http_status"]) == ("pending", None)
    assert (attempt["http_status"], attempt["error"]) == (None, "No complete response within 0.05 seconds.")


async def test_success_resets_failures(inbox, create_endpoint, emit_events, sender, client, owner, clock):
    endpoint = await create_endpoint(inbox.url)
    inbox.status = 500
    await emit_events(count=3)
    await sender.process_all_due()
    show = f"/api/v1/webhook-endpoints/{endpoint['id']}"
    failing = await (await client.get(show, headers=owner.auth)).get_json()
    inbox.status = 200
    clock.advance(minutes=2)
    await sender.process_all_due()
    healed = await (await client.get(show, headers=owner.auth)).get_json()

    assert (failing["failure_count"], failing["last_success_at"]) == (3, None)
    assert healed["failure_count"] == 0
    assert healed["last_success_at"] > healed["last_failure_at"] == failing["last_failure_at"]
    assert await sql.fetch_value("SELECT failing_since FROM webhooks_endpoint WHERE id = $1", endpoint["id"]) is None


async def test_refused_result_does_not_lose_others(
    inbox, create_endpoint, emit_events, sender, get_deliveries, monkeypatch
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=3)
    poisoned = itertools.count()
    original = attempt_results._to_row

    def row(result):
        values = original(result)
        bad = result.claimed.body.endswith(b'"order_id":1}}') and next(poisoned) < 2
        return (*values[:8], "a\0b", *values[9:]) if bad else values

    monkeypatch.setattr(attempt_results, "_to_row", row)
    await sender.process_all_due()

    assert [row["status"] for row in await get_deliveries(endpoint)] == ["delivered", "pending", "delivered"]


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
