"""The erasure of people from the delivery log."""

import asyncio

import orjson
import pytest
from comanda.contracts import Person, StoredEvent
from comanda.orders import erasure
from comanda.platform.db import sql
from comanda_customers.events import CustomerCreated
from comanda_webhooks import event_handlers

ADA = {"id": 41, "restaurant_id": 7, "name": "Ada Almeida", "email": "ada@mail.example", "phone": "+351912555001"}


NOBODY = {**ADA, "name": None, "email": None, "phone": None}


@pytest.fixture
def store_events(owner, store_id):
    """Store events about customers and return them as claimed by the dispatcher."""

    async def happen(*payloads):
        events = []
        for data in payloads:
            row = await sql.fetch_one(
                """INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
                   VALUES ($1, $2, 'customer.created', $3::jsonb, now(), now()) RETURNING id, occurred_at""",
                owner.id,
                store_id,
                orjson.dumps(data).decode(),
            )
            events.append(StoredEvent(row["id"], owner.id, store_id, "customer.created", data, row["occurred_at"]))
        return events

    return happen


@pytest.fixture
def erase_events(owner, store_id):
    """Anonymize the events of customer 41, as an erasure does."""

    async def run():
        person = Person(owner.id, store_id, 41, frozenset(), frozenset(), frozenset())
        await erasure.anonymize_events(person, CustomerCreated, "id", [41])

    return run


async def test_bodies_responses_and_pending_events_are_anonymized(
    store_events, erase_events, create_endpoint, get_deliveries, owner
):
    endpoint = await create_endpoint("https://hooks.example.com/in", ["*"])
    others = {**ADA, "id": 42}
    await event_handlers.deliver_events(await store_events(ADA, others))
    before = await get_deliveries(endpoint)
    for row in before:
        await sql.execute(
            """INSERT INTO webhooks_attempt (owner_id, delivery_id, number, response_snippet, duration_ms, attempted_at)
               VALUES ($1, $2, 1, 'Hello Ada', 5, now())""",
            owner.id,
            row["id"],
        )

    await erase_events()
    await erase_events()

    theirs, kept = await get_deliveries(endpoint)
    assert orjson.loads(theirs["body"])["data"] == NOBODY
    assert theirs["body"].startswith(f'{{"id":"{theirs["message_id"]}","')
    assert {**orjson.loads(theirs["body"]), "data": ADA} == orjson.loads(before[0]["body"])
    assert kept["body"] == before[1]["body"]
    answers = await sql.fetch("SELECT response_snippet FROM webhooks_attempt WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [row["response_snippet"] for row in answers] == ["", "Hello Ada"]
    stored = await sql.fetch("SELECT data FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [orjson.loads(row["data"]) for row in stored] == [NOBODY, others]


async def test_event_claimed_before_erasure_is_anonymized(store_events, erase_events, create_endpoint, get_deliveries):
    endpoint = await create_endpoint("https://hooks.example.com/in", ["*"])
    claimed = await store_events(ADA)
    await erase_events()

    await event_handlers.deliver_events(claimed)

    assert [orjson.loads(row["body"])["data"] for row in await get_deliveries(endpoint)] == [NOBODY]


async def test_concurrent_fanout_and_erasure_leave_nothing(store_events, erase_events, create_endpoint, get_deliveries):
    endpoint = await create_endpoint("https://hooks.example.com/in", ["*"])

    async def erase():
        async with sql.transaction():
            await erasure.lock_for_erasure()
            await erase_events()
            await asyncio.sleep(0.01)

    for _ in range(5):
        claimed = await store_events(ADA)
        await asyncio.gather(event_handlers.deliver_events(claimed), erase(), event_handlers.deliver_events(claimed))

    bodies = [orjson.loads(row["body"])["data"] for row in await get_deliveries(endpoint)]
    assert bodies == [NOBODY] * 5


async def test_redelivery_is_anonymized(store_events, erase_events, create_endpoint, get_deliveries, client, owner):
    endpoint = await create_endpoint("https://hooks.example.com/in", ["*"])
    await event_handlers.deliver_events(await store_events(ADA))
    [row] = await get_deliveries(endpoint)
    await sql.execute(
        "UPDATE webhooks_delivery SET status = 'failed', next_attempt_at = NULL, finished_at = now() WHERE id = $1",
        row["id"],
    )
    again = f"/api/v1/webhook-endpoints/{endpoint['id']}/deliveries/{row['id']}/redeliver"
    await client.post(again, headers=owner.auth)

    await erase_events()
    await client.post(again, headers=owner.auth)

    bodies = [orjson.loads(each["body"])["data"] for each in await get_deliveries(endpoint)]
    assert bodies == [NOBODY] * 3
