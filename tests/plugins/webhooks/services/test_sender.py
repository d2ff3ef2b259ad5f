"""The sender, against real receivers on loopback."""

import asyncio
from datetime import timedelta

import orjson
import pytest
from comanda.platform.db import sql
from comanda_webhooks.client import HttpReceiver
from comanda_webhooks.services.sender import MAX_PER_ENDPOINT
from comanda_webhooks.services.signatures import sign_legacy


@pytest.fixture
async def running_sender(sender):
    """Run the sender in the background, and yield it."""
    task = asyncio.create_task(sender.run())
    yield sender
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_delivery_arrives_as_stored_and_verifies(inbox, create_endpoint, emit_events, sender, get_deliveries):
    endpoint = await create_endpoint(inbox.url)
    [event] = await emit_events("order.created", order_id=7, total="12.50", note="Grüße, 東京")

    assert await sender.process_all_due() == 1

    [received] = inbox.received
    [row] = await get_deliveries(endpoint)
    assert received.body == row["body"].encode()
    assert received.verify(endpoint["secret"]) == orjson.loads(received.body)
    assert orjson.loads(received.body) == {
        "id": received.id,
        "event": "order.created",
        "created_at": event.occurred_at.isoformat(),
        "data": {"order_id": 7, "total": "12.50", "note": "Grüße, 東京"},
    }
    assert received.id.startswith("msg_")
    assert received.headers["content-type"] == "application/json"
    assert received.headers["x-webhook-event"] == "order.created"
    assert received.headers["x-webhook-signature"] == sign_legacy(received.body, endpoint["secret"])
    assert (row["status"], row["attempts"], row["http_status"], row["next_attempt_at"]) == ("delivered", 1, 204, None)


async def test_failures_are_retried_five_times_with_one_id(
    inbox, create_endpoint, emit_events, sender, get_deliveries, clock
):
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    waits = []

    for attempt in range(1, 6):
        assert await sender.process_all_due() == 1
        [row] = await get_deliveries(endpoint)
        assert row["attempts"] == attempt
        if row["next_attempt_at"] is not None:
            waits.append((row["next_attempt_at"] - clock()).total_seconds())
            clock.set(row["next_attempt_at"] - timedelta(seconds=1))
            assert await sender.process_all_due() == 0
            clock.set(row["next_attempt_at"])

    assert row["status"] == "failed"
    assert [round(wait / due) for wait, due in zip(waits, (60, 300, 900, 3600), strict=True)] == [1, 1, 1, 1]
    clock.advance(days=1)
    assert await sender.process_all_due() == 0
    assert len(inbox.received) == 5
    assert len({received.id for received in inbox.received}) == 1
    assert len({received.headers["webhook-timestamp"] for received in inbox.received}) == 5
    attempts = await sql.fetch("SELECT * FROM webhooks_attempt WHERE delivery_id = $1 ORDER BY number", row["id"])
    assert [(attempt["number"], attempt["http_status"]) for attempt in attempts] == [(n, 500) for n in range(1, 6)]


async def test_retry_after_delays_the_next_attempt(inbox, create_endpoint, emit_events, sender, get_deliveries, clock):
    inbox.status, inbox.answer_headers = 503, {"Retry-After": "1800"}
    endpoint = await create_endpoint(inbox.url)
    await emit_events()

    await sender.process_all_due()

    [row] = await get_deliveries(endpoint)
    assert timedelta(seconds=1800) <= row["next_attempt_at"] - clock() < timedelta(seconds=1803)


async def test_redirect_is_a_failure_and_not_followed(new_inbox, create_endpoint, emit_events, sender, get_deliveries):
    target, moved = await new_inbox(), await new_inbox(status=307)
    moved.answer_headers = {"Location": target.url}
    endpoint = await create_endpoint(moved.url)
    await emit_events()

    await sender.process_all_due()

    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["http_status"]) == ("pending", 307)
    assert target.received == []


async def test_slow_receiver_does_not_delay_others(
    new_inbox, create_endpoint, emit_events, running_sender, owner, other_owner
):
    slow, quick = await new_inbox(), await new_inbox()
    slow.is_open.clear()
    await create_endpoint(slow.url)
    await create_endpoint(quick.url, auth=other_owner.auth)
    await emit_events(count=300, of=owner)
    running_sender.wake()
    await slow.wait_for(MAX_PER_ENDPOINT)

    await emit_events(count=300, of=other_owner)
    running_sender.wake()

    await quick.wait_for(300)
    assert len(slow.received) == MAX_PER_ENDPOINT
    assert slow.most_in_flight == MAX_PER_ENDPOINT


async def test_backlog_is_sent_without_polling(
    new_inbox, create_endpoint, emit_events, receiver, sender, monkeypatch, new_consumer
):
    """The rest of a limited claim is claimed as soon as there is room, not at the next poll."""
    inboxes = [await new_inbox() for _ in range(6)]
    for inbox in inboxes:
        await create_endpoint(inbox.url)
    await emit_events(count=150)
    small = asyncio.create_task(new_consumer(receiver, max_in_flight=20).run())

    for inbox in inboxes:
        await inbox.wait_for(150)

    small.cancel()
    await asyncio.gather(small, return_exceptions=True)
    assert [len(inbox.received) for inbox in inboxes] == [150] * 6


async def test_failing_receiver_gets_one_connection(inbox, create_endpoint, emit_events, sender):
    endpoint = await create_endpoint(inbox.url)
    await sql.execute("UPDATE webhooks_endpoint SET failure_count = 5 WHERE id = $1", endpoint["id"])
    await emit_events(count=20)

    await sender.process_all_due()

    assert inbox.most_in_flight == 1
    assert len(inbox.received) == 20


async def test_stopping_releases_unsent_deliveries(inbox, create_endpoint, emit_events, sender, get_deliveries):
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=10)
    inbox.is_open.clear()
    task = asyncio.create_task(sender.run())
    await inbox.wait_for(MAX_PER_ENDPOINT)

    task.cancel()
    inbox.is_open.set()
    await asyncio.gather(task, return_exceptions=True)

    found = await get_deliveries(endpoint)
    assert [row["status"] for row in found] == ["delivered"] * 4 + ["pending"] * 6
    assert [row["leased_until"] for row in found] == [None] * 10


async def test_address_no_longer_allowed_is_not_called(
    inbox, create_endpoint, emit_events, sender, get_deliveries, new_consumer
):
    """A URL that was checked when it was saved is checked again when it is called."""
    endpoint = await create_endpoint(inbox.url)
    await emit_events()

    async with HttpReceiver() as strict:
        await new_consumer(strict).process_all_due()

    [row] = await get_deliveries(endpoint)
    error = await sql.fetch_value("SELECT error FROM webhooks_attempt WHERE delivery_id = $1", row["id"])
    assert row["status"] == "pending"
    assert "https://" in error
    assert inbox.received == []


async def test_order_event_reaches_receiver(inbox, create_endpoint, running_sender, client, owner, store_id, dispatch):
    """From the HTTP request through the outbox to the receiver."""
    endpoint = await create_endpoint(inbox.url, ["menu.*"])

    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories", json={"name": "Antipasti"}, headers=owner.auth
    )
    assert response.status_code == 201
    await dispatch()
    running_sender.wake()
    await inbox.wait_for(1)

    document = inbox.received[0].verify(endpoint["secret"])
    assert document["event"] == "menu.updated"
    assert document["data"]["change"] == "created"
