"""The sender against real receivers on loopback: what arrives, what is tried again, and who waits for whom."""

import asyncio
import itertools
from datetime import timedelta

import orjson
import pytest
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda_webhooks import claiming, results
from comanda_webhooks.client import HttpReceiver
from comanda_webhooks.sender import PER_ENDPOINT, Sender
from comanda_webhooks.settings import allowed_targets
from comanda_webhooks.signing import legacy_signature


@pytest.fixture
async def running(sender):
    """Run the sender in the background, and give its bell."""
    wake = WakeEvent()
    task = asyncio.create_task(sender.run(wake))
    yield wake
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_delivery_arrives_as_it_was_stored_and_verifies(inbox, subscribe, happen, sender, rows):
    endpoint = await subscribe(inbox.url)
    [event] = await happen("order.created", order_id=7, total="12.50", note="Grüße, 東京")

    assert await sender.work_off() == 1

    [received] = inbox.received
    [row] = await rows(endpoint)
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
    assert received.headers["x-webhook-signature"] == legacy_signature(received.body, endpoint["secret"])
    assert (row["status"], row["attempts"], row["http_status"], row["next_attempt_at"]) == ("delivered", 1, 204, None)


async def test_failures_are_tried_five_times_on_schedule_with_one_id(inbox, subscribe, happen, sender, rows, clock):
    inbox.status = 500
    endpoint = await subscribe(inbox.url)
    await happen()
    waits = []

    for attempt in range(1, 6):
        assert await sender.work_off() == 1
        [row] = await rows(endpoint)
        assert row["attempts"] == attempt
        if row["next_attempt_at"] is not None:
            waits.append((row["next_attempt_at"] - clock()).total_seconds())
            clock.set(row["next_attempt_at"] - timedelta(seconds=1))
            assert await sender.work_off() == 0
            clock.set(row["next_attempt_at"])

    assert row["status"] == "failed"
    assert [round(wait / due) for wait, due in zip(waits, (60, 300, 900, 3600), strict=True)] == [1, 1, 1, 1]
    clock.advance(days=1)
    assert await sender.work_off() == 0
    assert len(inbox.received) == 5
    assert len({received.id for received in inbox.received}) == 1
    assert len({received.headers["webhook-timestamp"] for received in inbox.received}) == 5
    attempts = await sql.fetch("SELECT * FROM webhooks_attempt WHERE delivery_id = $1 ORDER BY number", row["id"])
    assert [(attempt["number"], attempt["http_status"]) for attempt in attempts] == [(n, 500) for n in range(1, 6)]


async def test_retry_after_makes_the_wait_longer(inbox, subscribe, happen, sender, rows, clock):
    inbox.status, inbox.answer_headers = 503, {"Retry-After": "1800"}
    endpoint = await subscribe(inbox.url)
    await happen()

    await sender.work_off()

    [row] = await rows(endpoint)
    assert timedelta(seconds=1800) <= row["next_attempt_at"] - clock() < timedelta(seconds=1803)


async def test_a_redirect_is_a_failure_and_is_not_followed(new_inbox, subscribe, happen, sender, rows):
    target, moved = await new_inbox(), await new_inbox(status=307)
    moved.answer_headers = {"Location": target.url}
    endpoint = await subscribe(moved.url)
    await happen()

    await sender.work_off()

    [row] = await rows(endpoint)
    assert (row["status"], row["http_status"]) == ("pending", 307)
    assert target.received == []


async def test_gone_disables_the_endpoint_at_once_and_tells_the_owner(
    inbox, subscribe, happen, sender, rows, published, client, owner
):
    inbox.status = 410
    endpoint = await subscribe(inbox.url)
    await happen()
    await sender.work_off()
    await happen()

    assert await sender.work_off() == 0
    [row] = await rows(endpoint)
    assert (row["status"], row["attempts"]) == ("failed", 1)
    shown = await (await client.get(f"/api/v1/webhook-endpoints/{endpoint['id']}", headers=owner.auth)).get_json()
    assert (shown["is_paused"], shown["disabled_reason"]) == (True, "gone")
    told = {"endpoint_id": endpoint["id"], "url": inbox.url, "reason": "gone"}
    assert await published() == [("webhook_endpoint.disabled", told)]


async def test_a_slow_receiver_has_four_requests_and_starves_nobody(
    new_inbox, subscribe, happen, running, owner, other_owner
):
    slow, quick = await new_inbox(), await new_inbox()
    slow.is_open.clear()
    await subscribe(slow.url)
    await subscribe(quick.url, auth=other_owner.auth)
    await happen(count=300, of=owner)
    running.set()
    await slow.wait_for(PER_ENDPOINT)

    await happen(count=300, of=other_owner)
    running.set()

    await quick.wait_for(300)
    assert len(slow.received) == PER_ENDPOINT
    assert slow.most_in_flight == PER_ENDPOINT


async def test_no_backlog_hides_another_endpoint(new_inbox, subscribe, happen, receiver, sender, other_owner):
    """Even a sender that has room for little gets round to everybody."""
    first, second = await new_inbox(), await new_inbox()
    await subscribe(first.url)
    await subscribe(second.url, auth=other_owner.auth)
    await happen(count=200)
    await happen(count=1, of=other_owner)
    small = Sender(receiver, max_in_flight=4)

    for _ in range(2):
        await small.fill()
        while small._workers:
            await asyncio.wait(small._workers)

    assert len(second.received) == 1
    assert 0 < len(first.received) < 200


async def test_all_of_a_flood_goes_out_without_waiting_for_the_poll(
    new_inbox, subscribe, happen, receiver, sender, monkeypatch
):
    """Whatever a claim was cut off at is claimed when there is room, not a poll later."""
    monkeypatch.setattr("comanda_webhooks.sender.POLL_SECONDS", 3600)
    inboxes = [await new_inbox() for _ in range(6)]
    for inbox in inboxes:
        await subscribe(inbox.url)
    await happen(count=150)
    small = asyncio.create_task(Sender(receiver, max_in_flight=20).run(WakeEvent()))

    for inbox in inboxes:
        await inbox.wait_for(150)

    small.cancel()
    await asyncio.gather(small, return_exceptions=True)
    assert [len(inbox.received) for inbox in inboxes] == [150] * 6


async def test_only_the_index_of_what_is_due_begins_with_the_endpoint(app):
    """A claim hops from endpoint to endpoint; another index in that order once led it through the whole log."""
    definitions = await sql.fetch("SELECT indexdef FROM pg_indexes WHERE tablename = 'webhooks_delivery'")

    tempting = [text for (text,) in definitions if "btree (endpoint_id" in text and " WHERE " not in text]

    assert tempting == []
    assert any(
        "(endpoint_id, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL)" in text for (text,) in definitions
    )


async def test_a_dead_receiver_keeps_one_connection_only(inbox, subscribe, happen, sender):
    endpoint = await subscribe(inbox.url)
    await sql.execute("UPDATE webhooks_endpoint SET failure_count = 5 WHERE id = $1", endpoint["id"])
    await happen(count=20)

    await sender.work_off()

    assert inbox.most_in_flight == 1
    assert len(inbox.received) == 20


async def test_what_a_killed_sender_held_goes_out_when_its_lease_ends(inbox, subscribe, happen, sender, rows, clock):
    endpoint = await subscribe(inbox.url)
    await happen()
    held = await claiming.claim(0, {}, 10, 10)  # claimed by a process that is then killed
    assert len(held.deliveries) == 1

    assert await sender.work_off() == 0
    clock.advance(seconds=claiming.LEASE.total_seconds())
    assert await sender.work_off() == 1

    [row] = await rows(endpoint)
    assert (row["status"], row["attempts"]) == ("delivered", 1)


async def test_a_result_that_comes_after_its_lease_was_given_on_is_dropped(
    inbox, subscribe, happen, receiver, sender, rows, clock
):
    endpoint = await subscribe(inbox.url)
    await happen()
    inbox.is_open.clear()
    late = asyncio.create_task(sender.work_off())
    await inbox.wait_for(1)
    clock.advance(seconds=claiming.LEASE.total_seconds())
    second = asyncio.create_task(Sender(receiver).work_off())
    await inbox.wait_for(2)
    inbox.is_open.set()

    await asyncio.gather(late, second)

    [row] = await rows(endpoint)
    assert (row["status"], row["attempts"]) == ("delivered", 1)
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_attempt WHERE delivery_id = $1", row["id"]) == 1
    assert inbox.received[0].id == inbox.received[1].id


async def test_two_senders_send_nothing_twice(inbox, subscribe, happen, receiver, sender):
    await subscribe(inbox.url)
    await happen(count=200)

    counts = await asyncio.gather(sender.work_off(), Sender(receiver).work_off())

    assert sum(counts) == 200
    assert len({received.id for received in inbox.received}) == len(inbox.received) == 200


async def test_a_sender_that_stops_hands_back_what_it_has_not_sent(inbox, subscribe, happen, sender, rows):
    endpoint = await subscribe(inbox.url)
    await happen(count=10)
    inbox.is_open.clear()
    wake = WakeEvent()
    task = asyncio.create_task(sender.run(wake))
    await inbox.wait_for(PER_ENDPOINT)

    task.cancel()
    inbox.is_open.set()
    await asyncio.gather(task, return_exceptions=True)

    found = await rows(endpoint)
    assert [row["status"] for row in found] == ["delivered"] * 4 + ["pending"] * 6
    assert [row["leased_until"] for row in found] == [None] * 10


async def test_a_receiver_without_an_answer_is_logged_with_its_reason(inbox, subscribe, happen, sender, rows):
    endpoint = await subscribe(inbox.url)
    await happen()
    inbox.is_open.clear()

    async with HttpReceiver(allowed=allowed_targets(), timeout_seconds=0.05) as impatient:
        await Sender(impatient).work_off()

    [row] = await rows(endpoint)
    attempt = await sql.fetch_one("SELECT * FROM webhooks_attempt WHERE delivery_id = $1", row["id"])
    assert (row["status"], row["http_status"]) == ("pending", None)
    assert (attempt["http_status"], attempt["error"]) == (None, "No complete answer within 0.05 seconds.")


async def test_an_address_that_is_no_longer_allowed_is_not_called(inbox, subscribe, happen, sender, rows):
    """What was judged when it was saved is judged again when it is sent."""
    endpoint = await subscribe(inbox.url)
    await happen()

    async with HttpReceiver() as strict:
        await Sender(strict).work_off()

    [row] = await rows(endpoint)
    error = await sql.fetch_value("SELECT error FROM webhooks_attempt WHERE delivery_id = $1", row["id"])
    assert row["status"] == "pending"
    assert "https://" in error
    assert inbox.received == []


async def test_success_clears_what_was_counted(inbox, subscribe, happen, sender, client, owner, clock):
    endpoint = await subscribe(inbox.url)
    inbox.status = 500
    await happen(count=3)
    await sender.work_off()
    show = f"/api/v1/webhook-endpoints/{endpoint['id']}"
    failing = await (await client.get(show, headers=owner.auth)).get_json()
    inbox.status = 200
    clock.advance(minutes=2)
    await sender.work_off()
    healed = await (await client.get(show, headers=owner.auth)).get_json()

    assert (failing["failure_count"], failing["last_success_at"]) == (3, None)
    assert healed["failure_count"] == 0
    assert healed["last_success_at"] > healed["last_failure_at"] == failing["last_failure_at"]
    assert await sql.fetch_value("SELECT failing_since FROM webhooks_endpoint WHERE id = $1", endpoint["id"]) is None


async def test_results_that_the_database_refuses_take_no_others_with_them(
    inbox, subscribe, happen, sender, rows, monkeypatch
):
    endpoint = await subscribe(inbox.url)
    await happen(count=3)
    poisoned = itertools.count()
    original = results._row

    def row(result):
        values = original(result)
        bad = result.claimed.body.endswith(b'"order_id":1}}') and next(poisoned) < 2
        return (*values[:8], "a\0b", *values[9:]) if bad else values

    monkeypatch.setattr(results, "_row", row)
    await sender.work_off()

    assert [row["status"] for row in await rows(endpoint)] == ["delivered", "pending", "delivered"]


async def test_an_order_reaches_its_receiver(inbox, subscribe, running, client, owner, store_id, dispatch):
    """From the HTTP request through the outbox to the wire."""
    endpoint = await subscribe(inbox.url, ["menu.*"])

    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories", json={"name": "Antipasti"}, headers=owner.auth
    )
    assert response.status_code == 201
    await dispatch()
    running.set()
    await inbox.wait_for(1)

    document = inbox.received[0].verify(endpoint["secret"])
    assert document["event"] == "menu.updated"
    assert document["data"]["change"] == "created"
