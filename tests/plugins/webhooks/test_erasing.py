"""Whoever is erased leaves the log: waiting, sent, sent again, and in the hands of a dispatcher at that moment."""

import asyncio

import orjson
import pytest
from comanda.contracts.erasure import Person
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.orders import erasure
from comanda_customers.events import CustomerCreated
from comanda_webhooks import fanout

ADA = {"id": 41, "restaurant_id": 7, "name": "Ada Almeida", "email": "ada@mail.example", "phone": "+351912555001"}
NOBODY = {**ADA, "name": None, "email": None, "phone": None}


@pytest.fixture
def told(owner, store_id):
    """Store events about customers and return them as the dispatcher claims them."""

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
def forget(owner, store_id):
    """Forget what customer 41's events told, as an erasure does."""

    async def run():
        person = Person(owner.id, store_id, 41, frozenset(), frozenset(), frozenset())
        await erasure.anonymize_events(person, CustomerCreated, "id", [41])

    return run


async def test_bodies_answers_and_waiting_events_tell_of_them_no_more(told, forget, subscribe, rows, owner):
    endpoint = await subscribe("https://hooks.example.com/in", ["*"])
    others = {**ADA, "id": 42}
    await fanout.deliver(await told(ADA, others))
    before = await rows(endpoint)
    for row in before:
        await sql.execute(
            """INSERT INTO webhooks_attempt (owner_id, delivery_id, number, response_snippet, duration_ms, attempted_at)
               VALUES ($1, $2, 1, 'Hello Ada', 5, now())""",
            owner.id,
            row["id"],
        )

    await forget()
    await forget()

    theirs, kept = await rows(endpoint)
    assert orjson.loads(theirs["body"])["data"] == NOBODY
    assert theirs["body"].startswith(f'{{"id":"{theirs["message_id"]}","')
    assert {**orjson.loads(theirs["body"]), "data": ADA} == orjson.loads(before[0]["body"])
    assert kept["body"] == before[1]["body"]
    answers = await sql.fetch("SELECT response_snippet FROM webhooks_attempt WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [row["response_snippet"] for row in answers] == ["", "Hello Ada"]
    stored = await sql.fetch("SELECT data FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [orjson.loads(row["data"]) for row in stored] == [NOBODY, others]


async def test_an_event_that_a_dispatcher_held_meanwhile_tells_of_nobody(told, forget, subscribe, rows):
    endpoint = await subscribe("https://hooks.example.com/in", ["*"])
    claimed = await told(ADA)
    await forget()

    await fanout.deliver(claimed)

    assert [orjson.loads(row["body"])["data"] for row in await rows(endpoint)] == [NOBODY]


async def test_fan_out_and_erasure_at_once_leave_nothing(told, forget, subscribe, rows):
    endpoint = await subscribe("https://hooks.example.com/in", ["*"])

    async def erase():
        async with sql.transaction():
            await erasure.lock_for_erasure()
            await forget()
            await asyncio.sleep(0.01)

    for _ in range(5):
        claimed = await told(ADA)
        await asyncio.gather(fanout.deliver(claimed), erase(), fanout.deliver(claimed))

    bodies = [orjson.loads(row["body"])["data"] for row in await rows(endpoint)]
    assert bodies == [NOBODY] * 5


async def test_what_is_sent_again_tells_of_nobody(told, forget, subscribe, rows, client, owner):
    endpoint = await subscribe("https://hooks.example.com/in", ["*"])
    await fanout.deliver(await told(ADA))
    [row] = await rows(endpoint)
    await sql.execute(
        "UPDATE webhooks_delivery SET status = 'failed', next_attempt_at = NULL, finished_at = now() WHERE id = $1",
        row["id"],
    )
    again = f"/api/v1/webhook-endpoints/{endpoint['id']}/deliveries/{row['id']}/redeliver"
    await client.post(again, headers=owner.auth)

    await forget()
    await client.post(again, headers=owner.auth)

    bodies = [orjson.loads(each["body"])["data"] for each in await rows(endpoint)]
    assert bodies == [NOBODY] * 3
