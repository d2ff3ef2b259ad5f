"""Test events, redeliveries and replays."""

import asyncio

import orjson
import pytest
from comanda.platform.db import sql


async def test_redelivery_has_new_id_and_names_original(failed_delivery, inbox, call_endpoint, sender, get_deliveries):
    endpoint, row = failed_delivery

    status, made = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    assert await sender.process_all_due() == 1

    assert status == 202
    assert made["redelivered_from"] == row["id"]
    assert made["webhook_id"] not in (None, row["message_id"])
    first, second = inbox.received
    assert second.id == made["webhook_id"]
    assert second.verify(endpoint["secret"]) == {**orjson.loads(first.body), "id": second.id}
    original, again = await get_deliveries(endpoint)
    assert dict(original) == dict(row)
    assert (again["status"], again["attempts"]) == ("delivered", 1)


async def test_redelivery_of_redelivery_names_original(failed_delivery, call_endpoint, sender):
    endpoint, row = failed_delivery
    _, first = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    await sender.process_all_due()

    _, second = await call_endpoint(endpoint, f"/deliveries/{first['id']}/redeliver", "POST")

    assert second["redelivered_from"] == row["id"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE webhooks_delivery SET body = NULL WHERE endpoint_id = $1", "pruned"),
        ("UPDATE webhooks_endpoint SET is_paused = true WHERE id = $1", "paused"),
    ],
)
async def test_impossible_redelivery_returns_409_with_reason(
    failed_delivery, call_endpoint, get_deliveries, change, reason
):
    endpoint, row = failed_delivery
    await sql.execute(change, endpoint["id"])

    status, answer = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")

    assert (status, answer["code"], answer["reason"]) == (409, "conflict", reason)
    assert len(await get_deliveries(endpoint)) == 1


@pytest.mark.parametrize("paused", [False, True])
async def test_ping_reaches_unsubscribed_and_paused_endpoints(
    client, owner, inbox, create_endpoint, call_endpoint, sender, paused
):
    endpoint = await create_endpoint(inbox.url, ["menu.updated"])
    await call_endpoint(endpoint, "", "PATCH", json={"paused": paused})

    status, made = await call_endpoint(endpoint, "/test", "POST")
    assert await sender.process_all_due() == 1

    [received] = inbox.received
    document = received.verify(endpoint["secret"])
    assert status == 202
    assert (made["event"], made["status"], made["webhook_id"]) == ("ping", "pending", received.id)
    assert (document["event"], document["data"]["endpoint_id"]) == ("ping", endpoint["id"])


async def test_replay_sends_failed_deliveries_only(
    failed_delivery, inbox, emit_events, call_endpoint, sender, get_deliveries
):
    endpoint, row = failed_delivery
    await emit_events(order_id=8)
    await sender.process_all_due()
    since = {"since": row["created_at"].isoformat()}

    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 1, "has_more": False})
    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    await sender.process_all_due()
    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    assert await call_endpoint(endpoint, "/replay", "POST", json={**since, "status": "all"}) == (
        202,
        {"replayed": 2, "has_more": False},
    )

    assert [orjson.loads(received.body)["data"]["order_id"] for received in inbox.received] == [7, 8, 7]
    assert [row["redelivered_from_id"] is None for row in await get_deliveries(endpoint)] == [
        True,
        True,
        False,
        False,
        False,
    ]


async def test_replay_respects_time_span_and_limit(failed_delivery, call_endpoint, monkeypatch):
    endpoint, row = failed_delivery
    created = row["created_at"]
    before = {"since": "2020-01-01T00:00:00Z", "until": created.isoformat()}

    assert (await call_endpoint(endpoint, "/replay", "POST", json=before))[1]["replayed"] == 0
    monkeypatch.setattr("comanda_webhooks.services.deliveries.MAX_REPLAYED", 0)
    assert (await call_endpoint(endpoint, "/replay", "POST", json={"since": created.isoformat()}))[1] == {
        "replayed": 0,
        "has_more": True,
    }


@pytest.fixture
async def retrying_delivery(inbox, create_endpoint, emit_events, sender, get_deliveries):
    """Return an endpoint with a delivery that failed once and waits for its next attempt."""
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events(order_id=7)
    await sender.process_all_due()
    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["attempts"]) == ("pending", 1)
    inbox.status = 200
    return endpoint, row


async def test_pending_delivery_can_be_redelivered(
    retrying_delivery, inbox, call_endpoint, sender, get_deliveries, clock
):
    endpoint, row = retrying_delivery

    status, made = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    _, log = await call_endpoint(endpoint, "/deliveries?status=superseded")
    await sender.process_all_due()
    clock.advance(hours=3)

    assert await sender.process_all_due() == 0
    assert (status, made["status"], made["redelivered_from"]) == (202, "pending", row["id"])
    assert [received.id for received in inbox.received] == [row["message_id"], made["webhook_id"]]
    assert [one["id"] for one in log["data"]] == [row["id"]]
    before, after = await get_deliveries(endpoint)
    assert (before["status"], before["next_attempt_at"], before["leased_until"]) == ("superseded", None, None)
    assert after["status"] == "delivered"


async def test_only_the_last_redelivery_is_sent(retrying_delivery, call_endpoint, get_deliveries, inbox, sender):
    endpoint, row = retrying_delivery
    _, first = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    answers = await asyncio.gather(
        *(
            call_endpoint(endpoint, f"/deliveries/{id}/redeliver", "POST")
            for id in (row["id"], first["id"], first["id"])
        )
    )

    await sender.process_all_due()

    assert [status for status, _ in answers] == [202] * 3
    states = [one["status"] for one in await get_deliveries(endpoint)]
    assert sorted(states) == ["delivered", *["superseded"] * 4]
    assert len(inbox.received) == 2


async def test_sender_of_superseded_delivery_writes_no_result(
    retrying_delivery, inbox, call_endpoint, sender, get_deliveries
):
    endpoint, row = retrying_delivery
    await sql.execute("UPDATE webhooks_delivery SET next_attempt_at = now() WHERE id = $1", row["id"])
    inbox.is_open.clear()
    sending = asyncio.create_task(sender.process_all_due())
    await inbox.wait_for(2)

    _, made = await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    inbox.status = 500
    inbox.is_open.set()
    await sending

    before, _ = await get_deliveries(endpoint)
    assert (before["status"], before["attempts"], before["next_attempt_at"]) == ("superseded", 1, None)
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_attempt WHERE delivery_id = $1", row["id"]) == 1
    assert inbox.received[2].id == made["webhook_id"]


async def test_waiting_superseded_delivery_is_not_sent(
    inbox, create_endpoint, emit_events, call_endpoint, sender, get_deliveries, monkeypatch
):
    monkeypatch.setattr("comanda.platform.queue.consumer.STALE_SECONDS", 0.05)
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=10)
    inbox.is_open.clear()
    sending = asyncio.create_task(sender.process_all_due())
    await inbox.wait_for(4)  # what one endpoint gets at once; six are claimed and wait
    last = (await get_deliveries(endpoint))[-1]

    _, made = await call_endpoint(endpoint, f"/deliveries/{last['id']}/redeliver", "POST")
    await asyncio.sleep(0.1)
    inbox.is_open.set()
    await sending

    ids = [received.id for received in inbox.received]
    assert last["message_id"] not in ids
    assert made["webhook_id"] in ids
    assert len(ids) == 10
    assert sender._loaded_count == 0


async def test_replay_includes_deliveries_waiting_for_retry(
    retrying_delivery, inbox, emit_events, call_endpoint, sender, get_deliveries
):
    endpoint, row = retrying_delivery
    await emit_events(order_id=8)
    since = {"since": row["created_at"].isoformat()}

    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 1, "has_more": False})
    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    await sender.process_all_due()

    assert [orjson.loads(one.body)["data"]["order_id"] for one in inbox.received] == [7, 8, 7]
    assert [one["status"] for one in await get_deliveries(endpoint)] == ["superseded", "delivered", "delivered"]
    assert await call_endpoint(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})


async def test_replay_includes_failed_redeliveries(retrying_delivery, inbox, call_endpoint, sender, get_deliveries):
    endpoint, row = retrying_delivery
    await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    inbox.status = 500
    await sender.process_all_due()
    inbox.status = 200

    _, answer = await call_endpoint(endpoint, "/replay", "POST", json={"since": row["created_at"].isoformat()})
    await sender.process_all_due()

    assert answer["replayed"] == 1
    assert [one["status"] for one in await get_deliveries(endpoint)] == ["superseded", "superseded", "delivered"]


async def test_redeliveries_and_results_do_not_deadlock(
    inbox, create_endpoint, emit_events, call_endpoint, sender, get_deliveries
):
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=30)
    working = True

    async def send():
        while working:
            # What failed is due again at once; what somebody else changes now, the next time.
            await sql.execute(
                """UPDATE webhooks_delivery SET next_attempt_at = now() WHERE id IN (
                       SELECT id FROM webhooks_delivery
                       WHERE endpoint_id = $1 AND status = 'pending' AND leased_until IS NULL
                       FOR UPDATE SKIP LOCKED)""",
                endpoint["id"],
            )
            await sender.process_all_due()

    async def redeliver():
        for row in await get_deliveries(endpoint):
            assert (await call_endpoint(endpoint, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 202

    async def replay():
        for _ in range(10):
            assert (await call_endpoint(endpoint, "/replay", "POST", json={"since": "2020-01-01T00:00:00Z"}))[0] == 202

    sending = asyncio.create_task(send())
    await asyncio.gather(redeliver(), replay(), redeliver(), replay())
    inbox.status = 200
    working = False
    await sending
    await call_endpoint(endpoint, "/replay", "POST", json={"since": "2020-01-01T00:00:00Z"})
    await sender.process_all_due()

    log = await get_deliveries(endpoint)
    families = {row["redelivered_from_id"] or row["id"]: [] for row in log}
    for row in log:
        families[row["redelivered_from_id"] or row["id"]].append(row["status"])
    assert len(families) == 30
    assert {row["status"] for row in log} <= {"superseded", "failed", "delivered"}
    assert all("delivered" in states for states in families.values())
