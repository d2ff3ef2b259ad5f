from datetime import UTC, datetime, timedelta

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_deliverect.services import connection_worker, connections
from comanda_deliverect.services.availability import NO_END, list_due


def list_told(store):
    """Return the products that a request named, and whether it snoozed them."""
    return [
        (body["plus"], datetime.fromisoformat(body["snoozeEnd"]) > datetime.now(UTC)) for body in store.fake.snoozes
    ]


async def test_sold_out_item_is_told_once_and_taken_back(store):
    await store.change(store.soup, is_sold_out=True)
    await store.tell()
    await store.tell()
    await store.change(store.soup, is_sold_out=False)
    await store.tell()
    await store.tell()

    assert list_told(store) == [([store.soup_ref], True), ([store.soup_ref], False)]
    assert {body["account"] for body in store.fake.snoozes} == {"account-1"}
    assert {body["location"] for body in store.fake.snoozes} == {store.location}


async def test_store_that_sells_everything_tells_nothing(store):
    await store.tell()

    assert (store.fake.snoozes, store.fake.pauses) == ([], [])


async def test_end_here_is_the_end_there(store):
    until = (datetime.now(UTC) + timedelta(hours=3)).replace(microsecond=0)
    reply = await store.send("PATCH", f"/menu/items/{store.soup['id']}/sold-out", {"until": until.isoformat()})
    assert reply.status == 200, reply

    await store.tell()

    assert store.fake.list_snoozed(store.location) == {store.soup_ref: until}
    assert store.fake.snoozes[0]["snoozeEnd"] == f"{until:%Y-%m-%dT%H:%M:%SZ}"
    assert await find_due_at(store) == pytest.approx(datetime.now(UTC).timestamp() + 300, abs=20)


async def test_variations_and_extras_are_told_by_their_plus(store):
    groups = [{"name": "Sauce", "min": 0, "max": 2, "extras": [{"name": "Hot", "price": 0.5}]}]
    pizza = await store.item("Pizza", 4, extra_groups=groups)
    for name, sku in (("Small", "SM"), ("Large", "LG")):
        reply = await store.send("POST", f"/menu/items/{pizza['id']}/variants", {"name": name, "price": 4, "sku": sku})
        assert reply.status == 201, reply
    extra_id = pizza["extra_groups"][0]["extras"][0]["id"]
    await sql.execute("UPDATE core_extra SET is_sold_out = true WHERE id = $1", extra_id)
    await sql.execute("UPDATE core_variant SET is_active = false WHERE sku = 'LG' AND store_id = $1", store.id)
    await sql.execute("UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1", store.id)

    await store.tell()
    await store.change(pizza, is_active=False)
    await store.tell()

    assert list_told(store) == [(["LG", f"extra-{extra_id}"], True), (["SM"], True)]


async def test_store_that_is_paused_is_busy_there_until_it_is_not(store):
    await store.pause()
    await store.tell()
    await store.tell()
    await store.pause(status="online")
    await store.tell()

    assert store.fake.pauses == [(store.location, True), (store.location, False)]


async def test_busy_store_takes_orders(store):
    await store.pause(status="busy", delay_minutes=15)

    await store.tell()

    assert store.fake.pauses == []


async def test_pause_that_ends_by_itself_is_looked_at_then(store, clock):
    until = datetime.now(UTC) + timedelta(seconds=90)
    await store.pause(until=until.isoformat())
    await store.tell()
    due_at = await find_due_at(store)

    clock.advance(seconds=91)
    await process_queue(connection_worker.QUEUE)

    assert due_at == pytest.approx(until.timestamp(), abs=0.01)
    assert store.fake.pauses == [(store.location, True), (store.location, False)]


async def test_events_wake_a_connection_after_a_moment(store, dispatch):
    await store.tell()
    await store.pause()
    await dispatch()
    after_pause = await find_due_at(store)
    await store.tell()
    await store.change(store.soup, is_sold_out=True)
    await dispatch()

    moment = datetime.now(UTC).timestamp()
    assert 5 < after_pause - moment < 11
    assert 5 < await find_due_at(store) - moment < 11


async def test_answer_that_is_lost_is_told_again_and_changes_nothing(store):
    await store.change(store.soup, is_sold_out=True)
    await store.pause()
    store.fake.losses = 1
    await store.tell()
    failing = await store.get("/deliverect")
    store.fake.losses = 0
    await store.tell()

    assert failing["failure"] == "Deliverect could not be reached."
    assert (await store.get("/deliverect"))["failure"] is None
    assert store.fake.pauses == [(store.location, True)] * 2
    assert list_told(store) == [([store.soup_ref], True)]


@pytest.mark.parametrize("status", [429, 500, 401])
async def test_what_deliverect_does_not_take_now_is_told_later(store, status, dispatch):
    await store.change(store.soup, is_sold_out=True)
    store.fake.failures = [status]
    await store.tell()
    failing, due_at = await store.get("/deliverect"), await find_due_at(store)
    # More news does not bring the next attempt forward.
    await dispatch()

    assert str(status) in failing["failure"]
    assert 20 < due_at - datetime.now(UTC).timestamp() < 36
    assert await find_due_at(store) == due_at
    await store.tell()
    assert store.fake.list_snoozed(store.location).keys() == {store.soup_ref}
    assert (await store.get("/deliverect"))["failure"] is None


async def test_refused_product_is_not_told_for_ever(store):
    await store.change(store.soup, is_sold_out=True)
    await store.pause()
    store.fake.failures = [400, 400]
    await store.tell()
    await store.tell()
    found = await store.get("/deliverect")
    reply = await store.send("POST", "/deliverect/menu")
    assert reply.status == 204, reply
    await store.tell()

    assert found["failure"] is None
    assert found["refusal"] == (
        "Deliverect does not take that the store takes no orders: Deliverect refused the request: 400. "
        f"Deliverect does not take that these are sold out: {store.soup_ref}: Deliverect refused the request: 400."
    )
    assert list_told(store) == [([store.soup_ref], True)]
    assert (await store.get("/deliverect"))["refusal"] is None


async def test_saved_connection_tells_everything_again(store):
    tea = await store.item("Tea", 2)
    for item in (store.soup, tea):
        await store.change(item, is_sold_out=True)
    await store.pause()
    await store.tell()
    await store.change(tea, is_sold_out=False)
    before = len(store.fake.snoozes)
    moved = f"{store.location}-b"
    assert (await store.send("PUT", "/deliverect", {**store.body, "location_id": moved})).status == 200

    await store.tell()

    assert list_told(store)[before:] == [([store.soup_ref], True), ([f"item-{tea['id']}"], False)]
    assert {body["location"] for body in store.fake.snoozes[before:]} == {moved}
    assert store.fake.pauses == [(store.location, True), (moved, True)]


async def test_location_that_changes_meanwhile_does_not_count_as_told(store):
    await store.change(store.soup, is_sold_out=True)
    known = await connections.find_connection(store.owner.id, await find_id(store))
    await sql.execute("UPDATE deliverect_connection SET location_id = 'other' WHERE store_id = $1", store.id)
    end = datetime.now(UTC) + timedelta(days=1)

    async with connection_worker.open_client(known.credentials) as deliverect:
        await connection_worker._send_end(deliverect, known, [store.soup_ref], end, datetime.now(UTC))

    assert await sql.fetch_value("SELECT snoozed FROM deliverect_connection WHERE store_id = $1", store.id) == "{}"


async def test_many_products_take_several_turns(store, monkeypatch):
    monkeypatch.setattr(connection_worker, "MAX_PLUS", 2)
    monkeypatch.setattr(connection_worker, "MAX_REQUESTS", 1)
    category = await store.category()
    items = [await store.item(f"Dish {number}", 5, category_id=category) for number in range(3)]
    for item in items:
        await store.change(item, is_sold_out=True)

    turns = []
    monkeypatch.setattr(connection_worker, "list_due", lambda *given: turns.append(list_due(*given)) or turns[-1])

    await store.tell()

    assert [sum(map(len, due.values())) for due in turns] == [3, 1]
    assert store.fake.list_snoozed(store.location).keys() == {f"item-{item['id']}" for item in items}


async def test_disconnected_store_tells_nothing(store, dispatch):
    assert (await store.send("DELETE", "/deliverect")).status == 204
    await store.change(store.soup, is_sold_out=True)
    await store.pause()
    await dispatch()

    await store.tell()

    assert (store.fake.snoozes, store.fake.pauses) == ([], [])


async def test_stores_of_two_owners_are_told_apart(store, client, other_owner, deliverect):
    other = type(store)(client, other_owner, await other_owner.store())
    tea = await other.item("Tea", 2)
    await other.connect(deliverect)
    await other.change(tea, is_sold_out=True)
    await store.pause()

    await store.tell()

    assert deliverect.pauses == [(store.location, True)]
    assert deliverect.list_snoozed(store.location) == {}
    assert deliverect.list_snoozed(other.location).keys() == {f"item-{tea['id']}"}
    await sql.execute("DELETE FROM deliverect_connection WHERE owner_id = $1", other_owner.id)


async def test_item_that_is_deleted_is_forgotten(store):
    await store.change(store.soup, is_sold_out=True)
    await store.tell()
    assert (await store.send("DELETE", f"/menu/items/{store.soup['id']}")).status == 204

    await store.tell()

    assert len(store.fake.snoozes) == 1
    assert await sql.fetch_value("SELECT snoozed FROM deliverect_connection WHERE store_id = $1", store.id) == "{}"


def test_what_has_no_end_is_told_again_long_before_the_end_that_was_told():
    moment = datetime(2027, 6, 1, tzinfo=UTC)
    wanted = {"SOUP": moment + NO_END}

    def is_due(told):
        return bool(list_due(wanted, {"SOUP": told}, moment))

    assert not is_due(moment + timedelta(days=181))
    assert is_due(moment + timedelta(days=179))


async def find_id(store):
    return await sql.fetch_value("SELECT id FROM deliverect_connection WHERE store_id = $1", store.id)


async def find_due_at(store):
    due_at = await sql.fetch_value("SELECT next_attempt_at FROM deliverect_connection WHERE store_id = $1", store.id)
    return due_at.timestamp()
