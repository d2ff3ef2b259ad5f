"""Programmes and rewards over the API."""

import pytest


async def test_programme_is_off_until_it_is_turned_on(store, store_id, set_programme):
    assert (await store.get("/loyalty")).document == {
        "restaurant_id": store_id, "is_on": False, "earn_by": "amount", "points": 1, "min_order": None,
        "expires_after_months": None,
    }  # fmt: skip

    saved = await set_programme(earn_by="item", points=2, min_order=7.5)

    assert (await store.get("/loyalty")).document == saved
    assert (saved["is_on"], saved["earn_by"], saved["min_order"]) == (True, "item", 7.5)


@pytest.mark.parametrize(
    "fields",
    [{"points": 0}, {"points": 1001}, {"earn_by": "visit"}, {"min_order": 0.001}, {"expires_after_months": 0}],
)
async def test_invalid_programme_is_refused(store, fields):
    reply = await store.send("PUT", "/loyalty", {"is_on": True, **fields})

    assert (reply.status, list(reply.errors)) == (422, list(fields))
    assert (await store.get("/loyalty"))["is_on"] is False


async def test_reward_is_created_replaced_and_deleted(store):
    body = {"name": "A tenth", "type": "percentage", "value": 12.5, "points": 50}
    created = (await store.send("POST", "/loyalty/rewards", body)).document
    path = f"/loyalty/rewards/{created['id']}"
    assert {name: created[name] for name in body} == body

    replaced = await store.send("PUT", path, {**body, "type": "fixed", "value": 3.2, "is_active": False})
    assert (replaced["type"], replaced["value"], replaced["is_active"]) == ("fixed", 3.2, False)
    assert (await store.get("/loyalty/rewards"))["data"] == [replaced.document]

    assert (await store.send("DELETE", path)).status == 204
    assert (await store.send("GET", path)).status == 404
    assert (await store.get("/loyalty/rewards"))["total"] == 0


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"value": 100.5}, "value"),
        ({"value": 0.00001}, "value"),
        ({"value": None}, "value"),
        ({"value": 0}, "value"),
        ({"type": "fixed", "value": 1.001}, "value"),
        ({"type": "item", "value": None}, "item_id"),
        ({"type": "item", "item_id": 2**40}, "item_id"),
        ({"points": 0}, "points"),
        ({"name": " "}, "name"),
    ],
)
async def test_invalid_reward_is_refused(store, fields, field):
    body = {"name": "A tenth", "type": "percentage", "value": 10, "points": 50, **fields}

    reply = await store.send("POST", "/loyalty/rewards", body)

    assert (reply.status, list(reply.errors)) == (422, [field])
    assert (await store.get("/loyalty/rewards"))["total"] == 0


async def test_store_has_at_most_thirty_rewards(store):
    body = {"name": "A tenth", "type": "percentage", "value": 10, "points": 50}
    for _ in range(30):
        assert (await store.send("POST", "/loyalty/rewards", body)).status == 201

    assert (await store.send("POST", "/loyalty/rewards", body)).status == 409
