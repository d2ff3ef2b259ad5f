"""Batches: what has come in, what is left, and the stock that changes with both."""

import pytest
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql

BODY = {"number": "A", "best_before": "2031-01-01", "quantity": 2}


async def test_receipt_adds_to_the_batch_and_the_stock(pharmacy, tablets):
    first = await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    again = await pharmacy.receive(tablets, "A", "2031-01-01", 2)

    assert (first["id"], first["quantity"], first["item"], first["is_expired"]) == (again["id"], 5, "Tablets", False)
    assert again["quantity"] == 7
    assert await pharmacy.get_stock(tablets) == 7
    reasons = await sql.fetch(
        "SELECT reason, delta FROM core_stock_change WHERE item_id = $1 ORDER BY id", tablets["id"]
    )
    assert [tuple(row) for row in reasons] == [("batch_received", 5), ("batch_received", 2)]


async def test_receipt_with_a_key_counts_once(pharmacy, tablets):
    body = {"item_id": tablets["id"], **BODY}

    replies = [await pharmacy.send("POST", "/batches", body, Idempotency_Key="receipt-1") for _ in range(2)]

    assert [reply.status for reply in replies] == [201, 201]
    assert await pharmacy.get_stock(tablets) == 2


async def test_packs_of_the_stock_get_a_batch(pharmacy, tablets):
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 3})

    reply = await pharmacy.send("POST", "/batches", {"item_id": tablets["id"], **BODY, "is_in_stock": True})
    refused = await pharmacy.send("POST", "/batches", {"item_id": tablets["id"], **BODY, "is_in_stock": True})

    assert (reply["quantity"], await pharmacy.get_stock(tablets)) == (2, 3)
    assert refused.errors == {"quantity": ["Only 1 of the stock have no batch."]}
    (item,) = (await pharmacy.get("/batches/items"))["data"]
    assert (item["item_id"], item["stock"], item["in_batches"]) == (tablets["id"], 3, 2)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": 10**6 + 1}, "quantity"),
        ({"number": " "}, "number"),
        ({"number": "x" * 51}, "number"),
        ({"best_before": "soon"}, "best_before"),
        ({"best_before": 20310101}, "best_before"),
        ({"item_id": 2**62}, "item_id"),
        ({"variation": 999_999_999}, "variation"),
    ],
)
async def test_invalid_receipt_is_refused(pharmacy, tablets, fields, field):
    reply = await pharmacy.send("POST", "/batches", {"item_id": tablets["id"], **BODY, **fields})

    assert list(reply.errors) == [field]
    assert (await pharmacy.get("/batches?show=all"))["total"] == 0


async def test_stock_does_not_overflow(pharmacy, tablets):
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 2**31 - 2})

    reply = await pharmacy.send("POST", "/batches", {"item_id": tablets["id"], **BODY})

    assert reply.errors == {"quantity": ["The stock cannot have so many."]}


async def test_one_batch_has_one_date(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 5)

    reply = await pharmacy.send("POST", "/batches", {"item_id": tablets["id"], **BODY, "best_before": "2031-02-01"})

    assert list(reply.errors) == ["best_before"]
    assert await pharmacy.get_stock(tablets) == 5


async def test_item_must_be_sold_by_batch_and_counted(pharmacy):
    plaster = await pharmacy.item("Plaster", stock=1)
    syrup = await pharmacy.item("Syrup", is_sold_by_batch=True)

    replies = [await pharmacy.send("POST", "/batches", {"item_id": item["id"], **BODY}) for item in (plaster, syrup)]

    assert [reply.errors for reply in replies] == [
        {"item_id": ["Plaster is not sold by batch."]},
        {"item_id": ["The stock of this item is not counted. Set its stock first."]},
    ]


async def test_count_changes_the_stock_by_the_difference(pharmacy, tablets):
    batch = await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    path = f"/batches/{batch['id']}"

    counted = await pharmacy.send("PUT", path, {"quantity": 3, "best_before": "2031-03-01"})
    more = await pharmacy.send("PUT", path, {"quantity": 4})

    assert (counted["quantity"], counted["best_before"], more["best_before"]) == (3, "2031-03-01", "2031-03-01")
    assert await pharmacy.get_stock(tablets) == 4
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 1})
    assert list((await pharmacy.send("PUT", path, {"quantity": 0})).errors) == ["quantity"]
    assert await pharmacy.list_left(tablets) == {"A": 4}


async def test_list_shows_what_is_left_earliest_first(pharmacy, tablets, clock):
    await pharmacy.receive(tablets, "L-2", "2032-01-01", 5)
    await pharmacy.receive(tablets, "L_1", "2031-01-01", 5)
    old = await pharmacy.receive(tablets, "OLD", "2020-01-01", 5)
    gone = await pharmacy.receive(tablets, "GONE", "2031-01-01", 5)
    await pharmacy.send("PUT", f"/batches/{gone['id']}", {"quantity": 0})

    async def numbers(query):
        return [each["number"] for each in (await pharmacy.get(f"/batches{query}"))["data"]]

    assert await numbers("") == ["OLD", "L_1", "L-2"]
    assert await numbers("?show=expired") == ["OLD"]
    assert len(await numbers("?show=all")) == 4
    assert await numbers("?search=l_") == ["L_1"]
    assert await numbers("?item_id=999999999") == []
    assert old["is_expired"] is True


async def test_items_are_found_by_gtin(pharmacy):
    item = await pharmacy.item("Drops", is_sold_by_batch=True)
    for name, code in (("Small", "5601234567890"), ("Large", "5601234567906")):
        body = {"name": name, "price": 5, "stock": 0, "barcode": code}
        await pharmacy.send("POST", f"/menu/items/{item['id']}/variants", body)

    async def names(search):
        return [each["variation"] for each in (await pharmacy.get(f"/batches/items?search={search}"))["data"]]

    assert await names("drop") == ["Small", "Large"]
    assert await names("05601234567906") == ["Large"]
    assert await names("5601234") == []


async def test_batch_of_another_owner_is_not_found(pharmacy, tablets, client, other_owner):
    batch = await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    stranger = TestStore(client, other_owner, await other_owner.store("pharmacy"))

    for store_id in (stranger.id, pharmacy.id):
        path = f"/api/v1/restaurants/{store_id}/batches/{batch['id']}"
        for method, end, body in (("GET", "", None), ("PUT", "", {"quantity": 0}), ("GET", "/orders", None)):
            assert (await stranger.send_to(f"{path}{end}", method, body)).status == 404
        assert (await stranger.send_to(f"{path}/orders/export")).status == 404
    body = {"item_id": tablets["id"], **BODY}
    assert list((await stranger.send("POST", "/batches", body)).errors) == ["item_id"]
    assert await pharmacy.list_left(tablets) == {"A": 5}


async def test_item_with_batches_is_not_deleted(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 5)

    assert (await pharmacy.send("DELETE", f"/menu/items/{tablets['id']}")).status == 409
