"""The delivery log over the API, and sending again: test, redeliver, replay."""

import asyncio

import orjson
import pytest
from comanda.db import sql
from comanda_webhooks import event_handlers


@pytest.fixture
def at(client, owner):
    """Call a path below an endpoint."""

    async def call(endpoint, rest, method="GET", **options):
        path = f"/api/v1/webhook-endpoints/{endpoint['id']}{rest}"
        response = await client.open(path, method=method, headers=owner.auth, **options)
        return response.status_code, await response.get_json()

    return call


@pytest.fixture
async def failed(inbox, subscribe, happen, sender, rows):
    """An endpoint one delivery of which failed for good, and whose receiver works again."""
    inbox.status = 500
    endpoint = await subscribe(inbox.url)
    await happen(order_id=7)
    await sql.execute("UPDATE webhooks_delivery SET attempts = 4 WHERE endpoint_id = $1", endpoint["id"])
    await sender.send_due()
    [row] = await rows(endpoint)
    assert row["status"] == "failed"
    inbox.status = 200
    return endpoint, row


async def test_a_delivery_that_a_crash_took_back_is_made_again_under_its_id(inbox, subscribe, happen, rows):
    endpoint = await subscribe(inbox.url)
    events = await happen(count=2)
    before = [(row["event_id"], row["message_id"], row["body"]) for row in await rows(endpoint)]
    await sql.execute("DELETE FROM webhooks_delivery WHERE endpoint_id = $1", endpoint["id"])

    await event_handlers.deliver_events(events)

    assert [(row["event_id"], row["message_id"], row["body"]) for row in await rows(endpoint)] == before
    assert len({message_id for _, message_id, _ in before}) == 2


async def test_a_repeated_event_queues_nothing_twice(inbox, subscribe, happen, rows, sender):
    endpoint = await subscribe(inbox.url)
    events = await happen(count=3)

    await event_handlers.deliver_events(events)
    await event_handlers.deliver_events(events[1:])

    assert [row["event_id"] for row in await rows(endpoint)] == [event.id for event in events]
    assert await sender.send_due() == 3


async def test_events_go_to_their_owners_matching_endpoints_only(subscribe, happen, rows, other_owner):
    everything = await subscribe("https://hooks.example.com/all", ["*"])
    orders = await subscribe("https://hooks.example.com/orders", ["order.*"])
    created = await subscribe("https://hooks.example.com/created", ["order.created"])
    menus = await subscribe("https://hooks.example.com/menus", ["menu.updated"])
    foreign = await subscribe("https://hooks.example.com/foreign", ["*"], auth=other_owner.auth)

    await happen("order.created")
    await happen("order.status_changed")
    await happen("menu.updated", restaurant_id=1)

    async def heard(endpoint):
        return [row["event"] for row in await rows(endpoint)]

    assert await heard(everything) == ["order.created", "order.status_changed", "menu.updated"]
    assert await heard(orders) == ["order.created", "order.status_changed"]
    assert await heard(created) == ["order.created"]
    assert await heard(menus) == ["menu.updated"]
    assert await heard(foreign) == []


async def test_each_endpoint_gets_a_message_of_its_own(subscribe, happen, rows):
    endpoints = [await subscribe(f"https://hooks.example.com/{number}") for number in range(2)]
    await happen()

    [[one], [other]] = [await rows(endpoint) for endpoint in endpoints]

    assert one["message_id"] != other["message_id"]
    for row in (one, other):
        assert orjson.loads(row["body"])["id"] == row["message_id"]


async def test_the_log_is_newest_first_filtered_and_thirty_a_page(inbox, subscribe, happen, sender, at):
    endpoint = await subscribe(inbox.url)
    await happen(count=32)
    await happen("menu.updated", restaurant_id=1)
    await sender.send_due()
    await happen()

    _, first = await at(endpoint, "/deliveries")
    _, second = await at(endpoint, "/deliveries?page=2")
    _, menus = await at(endpoint, "/deliveries?event=menu.updated")
    _, pending = await at(endpoint, "/deliveries?status=pending&event=order.created")

    assert (first["total"], first["last_page"], first["per_page"], len(second["data"])) == (34, 2, 30, 4)
    ids = [row["id"] for row in first["data"] + second["data"]]
    assert ids == sorted(ids, reverse=True)
    assert [(row["event"], row["status"]) for row in menus["data"]] == [("menu.updated", "delivered")]
    assert [row["id"] for row in pending["data"]] == ids[:1]


async def test_an_unknown_status_is_refused(subscribe, at):
    status, answer = await at(await subscribe("https://hooks.example.com/in"), "/deliveries?status=lost")

    assert status == 422
    assert answer["errors"] == {"status": ["Must be one of: pending, delivered, failed, superseded."]}


async def test_a_delivery_shows_what_was_sent_and_every_attempt(failed, at):
    endpoint, row = failed

    status, shown = await at(endpoint, f"/deliveries/{row['id']}")

    assert status == 200
    assert (shown["webhook_id"], shown["status"], shown["http_status"]) == (row["message_id"], "failed", 500)
    assert shown["payload"] == orjson.loads(row["body"])
    [attempt] = shown["attempts"]
    assert (attempt["number"], attempt["http_status"], attempt["error"]) == (5, 500, None)


async def test_a_redelivery_has_a_fresh_id_and_names_the_original(failed, inbox, at, sender, rows):
    endpoint, row = failed

    status, made = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    assert await sender.send_due() == 1

    assert status == 202
    assert made["redelivered_from"] == row["id"]
    assert made["webhook_id"] not in (None, row["message_id"])
    first, second = inbox.received
    assert second.id == made["webhook_id"]
    assert second.verify(endpoint["secret"]) == {**orjson.loads(first.body), "id": second.id}
    original, again = await rows(endpoint)
    assert dict(original) == dict(row)
    assert (again["status"], again["attempts"]) == ("delivered", 1)


async def test_a_redelivery_of_a_redelivery_names_the_original_too(failed, at, sender):
    endpoint, row = failed
    _, first = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    await sender.send_due()

    _, second = await at(endpoint, f"/deliveries/{first['id']}/redeliver", "POST")

    assert second["redelivered_from"] == row["id"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE webhooks_delivery SET body = NULL WHERE endpoint_id = $1", "pruned"),
        ("UPDATE webhooks_endpoint SET is_paused = true WHERE id = $1", "paused"),
    ],
)
async def test_what_cannot_be_redelivered_is_refused_with_a_reason(failed, at, rows, change, reason):
    endpoint, row = failed
    await sql.execute(change, endpoint["id"])

    status, answer = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")

    assert (status, answer["code"], answer["reason"]) == (409, "conflict", reason)
    assert len(await rows(endpoint)) == 1


async def test_a_delivery_of_another_endpoint_is_not_found(failed, subscribe, at, rows):
    endpoint, row = failed
    second = await subscribe("https://hooks.example.com/second")

    assert (await at(second, f"/deliveries/{row['id']}"))[0] == 404
    assert (await at(second, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 404
    assert len(await rows(endpoint)) == 1


@pytest.mark.parametrize("paused", [False, True])
async def test_a_test_reaches_every_endpoint_even_unsubscribed_or_paused(
    client, owner, inbox, subscribe, at, sender, paused
):
    endpoint = await subscribe(inbox.url, ["menu.updated"])
    await at(endpoint, "", "PATCH", json={"paused": paused})

    status, made = await at(endpoint, "/test", "POST")
    assert await sender.send_due() == 1

    [received] = inbox.received
    document = received.verify(endpoint["secret"])
    assert status == 202
    assert (made["event"], made["status"], made["webhook_id"]) == ("ping", "pending", received.id)
    assert (document["event"], document["data"]["endpoint_id"]) == ("ping", endpoint["id"])


async def test_replay_sends_what_failed_and_not_what_arrived(failed, inbox, happen, at, sender, rows):
    endpoint, row = failed
    await happen(order_id=8)
    await sender.send_due()
    since = {"since": row["created_at"].isoformat()}

    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 1, "has_more": False})
    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    await sender.send_due()
    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    assert await at(endpoint, "/replay", "POST", json={**since, "status": "all"}) == (
        202,
        {"replayed": 2, "has_more": False},
    )

    assert [orjson.loads(received.body)["data"]["order_id"] for received in inbox.received] == [7, 8, 7]
    assert [row["redelivered_from_id"] is None for row in await rows(endpoint)] == [True, True, False, False, False]


async def test_replay_keeps_to_its_span_and_its_limit(failed, at, monkeypatch):
    endpoint, row = failed
    created = row["created_at"]
    before = {"since": "2020-01-01T00:00:00Z", "until": created.isoformat()}

    assert (await at(endpoint, "/replay", "POST", json=before))[1]["replayed"] == 0
    monkeypatch.setattr("comanda_webhooks.services.deliveries.MAX_REPLAYED", 0)
    assert (await at(endpoint, "/replay", "POST", json={"since": created.isoformat()}))[1] == {
        "replayed": 0,
        "has_more": True,
    }


async def test_replay_wants_a_time_with_an_offset(subscribe, at):
    endpoint = await subscribe("https://hooks.example.com/in")

    status, answer = await at(endpoint, "/replay", "POST", json={"since": "2026-01-01T00:00:00"})

    assert (status, list(answer["errors"])) == (422, ["since"])


@pytest.fixture
async def retrying(inbox, subscribe, happen, sender, rows):
    """An endpoint one delivery of which has failed once and waits for its next attempt."""
    inbox.status = 500
    endpoint = await subscribe(inbox.url)
    await happen(order_id=7)
    await sender.send_due()
    [row] = await rows(endpoint)
    assert (row["status"], row["attempts"]) == ("pending", 1)
    inbox.status = 200
    return endpoint, row


async def test_a_delivery_that_waits_for_its_next_attempt_can_be_sent_at_once(retrying, inbox, at, sender, rows, clock):
    endpoint, row = retrying

    status, made = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    _, log = await at(endpoint, "/deliveries?status=superseded")
    await sender.send_due()
    clock.advance(hours=3)

    assert await sender.send_due() == 0
    assert (status, made["status"], made["redelivered_from"]) == (202, "pending", row["id"])
    assert [received.id for received in inbox.received] == [row["message_id"], made["webhook_id"]]
    assert [one["id"] for one in log["data"]] == [row["id"]]
    before, after = await rows(endpoint)
    assert (before["status"], before["next_attempt_at"], before["leased_until"]) == ("superseded", None, None)
    assert after["status"] == "delivered"


async def test_sent_again_twice_only_the_last_is_tried(retrying, at, rows, inbox, sender):
    endpoint, row = retrying
    _, first = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    answers = await asyncio.gather(
        *(at(endpoint, f"/deliveries/{id}/redeliver", "POST") for id in (row["id"], first["id"], first["id"]))
    )

    await sender.send_due()

    assert [status for status, _ in answers] == [202] * 3
    states = [one["status"] for one in await rows(endpoint)]
    assert sorted(states) == ["delivered", *["superseded"] * 4]
    assert len(inbox.received) == 2


async def test_a_sender_that_holds_a_superseded_delivery_writes_nothing_down(retrying, inbox, at, sender, rows):
    endpoint, row = retrying
    await sql.execute("UPDATE webhooks_delivery SET next_attempt_at = now() WHERE id = $1", row["id"])
    inbox.is_open.clear()
    sending = asyncio.create_task(sender.send_due())
    await inbox.wait_for(2)

    _, made = await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    inbox.status = 500
    inbox.is_open.set()
    await sending

    before, _ = await rows(endpoint)
    assert (before["status"], before["attempts"], before["next_attempt_at"]) == ("superseded", 1, None)
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_attempt WHERE delivery_id = $1", row["id"]) == 1
    assert inbox.received[2].id == made["webhook_id"]


async def test_what_waits_in_a_sender_is_not_sent_once_superseded(
    inbox, subscribe, happen, at, sender, rows, monkeypatch
):
    monkeypatch.setattr("comanda_webhooks.services.sender.STALE_SECONDS", 0.05)
    endpoint = await subscribe(inbox.url)
    await happen(count=10)
    inbox.is_open.clear()
    sending = asyncio.create_task(sender.send_due())
    await inbox.wait_for(4)  # what one endpoint gets at once; six are claimed and wait
    last = (await rows(endpoint))[-1]

    _, made = await at(endpoint, f"/deliveries/{last['id']}/redeliver", "POST")
    await asyncio.sleep(0.1)
    inbox.is_open.set()
    await sending

    ids = [received.id for received in inbox.received]
    assert last["message_id"] not in ids
    assert made["webhook_id"] in ids
    assert len(ids) == 10
    assert sender._loaded_count == 0


async def test_replay_takes_what_waits_for_its_next_attempt(retrying, inbox, happen, at, sender, rows):
    endpoint, row = retrying
    await happen(order_id=8)
    since = {"since": row["created_at"].isoformat()}

    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 1, "has_more": False})
    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})
    await sender.send_due()

    assert [orjson.loads(one.body)["data"]["order_id"] for one in inbox.received] == [7, 8, 7]
    assert [one["status"] for one in await rows(endpoint)] == ["superseded", "delivered", "delivered"]
    assert await at(endpoint, "/replay", "POST", json=since) == (202, {"replayed": 0, "has_more": False})


async def test_replay_takes_the_event_whose_redelivery_fails(retrying, inbox, at, sender, rows):
    endpoint, row = retrying
    await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST")
    inbox.status = 500
    await sender.send_due()
    inbox.status = 200

    _, answer = await at(endpoint, "/replay", "POST", json={"since": row["created_at"].isoformat()})
    await sender.send_due()

    assert answer["replayed"] == 1
    assert [one["status"] for one in await rows(endpoint)] == ["superseded", "superseded", "delivered"]


async def test_redeliveries_while_results_are_written_down(inbox, subscribe, happen, at, sender, rows):
    inbox.status = 500
    endpoint = await subscribe(inbox.url)
    await happen(count=30)
    working = True

    async def send():
        while working:
            # What failed is due again at once.
            await sql.execute(
                """UPDATE webhooks_delivery SET next_attempt_at = now()
                   WHERE endpoint_id = $1 AND status = 'pending' AND leased_until IS NULL""",
                endpoint["id"],
            )
            await sender.send_due()

    async def redeliver():
        for row in await rows(endpoint):
            assert (await at(endpoint, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 202

    async def replay():
        for _ in range(10):
            assert (await at(endpoint, "/replay", "POST", json={"since": "2020-01-01T00:00:00Z"}))[0] == 202

    sending = asyncio.create_task(send())
    await asyncio.gather(redeliver(), replay(), redeliver(), replay())
    inbox.status = 200
    working = False
    await sending
    await at(endpoint, "/replay", "POST", json={"since": "2020-01-01T00:00:00Z"})
    await sender.send_due()

    log = await rows(endpoint)
    families = {row["redelivered_from_id"] or row["id"]: [] for row in log}
    for row in log:
        families[row["redelivered_from_id"] or row["id"]].append(row["status"])
    assert len(families) == 30
    assert {row["status"] for row in log} <= {"superseded", "failed", "delivered"}
    assert all("delivered" in states for states in families.values())
