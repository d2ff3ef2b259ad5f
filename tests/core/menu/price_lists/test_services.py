"""Price lists as owners manage them."""

import pytest

FIELDS = {
    "name": "Lunch",
    "position": 2,
    "modes": ["takeaway"],
    "channels": ["staff", "storefront"],
    "valid_at": [{"days": ["mon", "fri"], "from": "11:30", "until": "14:00"}],
    "percent": -12.5,
    "round_to": 0.5,
    "minus": 0.01,
}


async def test_a_list_is_created_changed_and_deleted(store, published):
    soup = await store.item("Soup", variations=[{"name": "Large", "price": 7}])
    prices = [{"item_id": soup["id"], "variation": None, "price": 4}]
    created = await store.send("POST", "/menu/price-lists", {**FIELDS, "prices": prices})
    path = f"/menu/price-lists/{created['id']}"
    changed = await store.send("PATCH", path, {"percent": None, "amount": 1, "prices": [], "name": None})

    assert {name: created[name] for name in FIELDS} == FIELDS
    assert (created["prices"], created["category_ids"]) == (prices, [])
    assert (changed["percent"], changed["amount"], changed["prices"], changed["name"]) == (None, 1, [], "Lunch")
    assert (await store.get(path)).document == changed.document
    assert (await store.send("DELETE", path)).status == 204
    assert (await store.send("GET", path)).status == 404
    changes = [data["change"] for _name, data in await published() if data.get("entity") == "price_list"]
    assert changes == ["created", "updated", "deleted"]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, "percent"),
        ({"percent": 5, "amount": 1}, "amount"),
        ({"percent": -100}, "percent"),
        ({"percent": 0.00001}, "percent"),
        ({"percent": 5, "round_to": 0.1, "minus": 0.1}, "minus"),
        ({"percent": 5, "modes": ["ship"]}, "modes"),
        ({"percent": 5, "channels": ["fax"]}, "channels.0"),
        ({"percent": 5, "category_ids": [2**40]}, "category_ids.0"),
        ({"prices": [{"item_id": 2**40, "price": 1}]}, "prices.0.item_id"),
        ({"percent": 5, "valid_at": [{"from": "25:00", "until": "12:00"}]}, "valid_at.0.from"),
    ],
)
async def test_wrong_terms_are_refused(store, fields, wrong):
    reply = await store.send("POST", "/menu/price-lists", {"name": "Wrong", **fields})

    assert list(reply.errors) == [wrong]
    assert (await store.get("/menu/price-lists"))["data"] == []


async def test_a_store_has_twenty_lists_at_most(store):
    replies = [await store.send("POST", "/menu/price-lists", {"name": "More", "percent": 1}) for _ in range(21)]

    assert [each.status for each in replies] == [201] * 20 + [409]
    assert (await store.get("/menu/price-lists"))["total"] == 20
