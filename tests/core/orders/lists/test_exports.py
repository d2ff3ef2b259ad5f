"""Files of a store's orders."""

import csv
import io

import orjson
import pytest
from comanda.basics.csv_tables import to_cell
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders.lists import exports
from comanda.platform.db import sql


@pytest.fixture
def download(client, owner, store):
    async def send(query="", *, auth=None, store_id=None):
        path = f"/api/v1/restaurants/{store_id or store.id}/orders/export?{query}"
        return await client.get(path, headers=owner.auth if auth is None else auth)

    return send


@pytest.fixture
def rows(download):
    async def read(query=""):
        response = await download(query)
        assert response.status_code == 200
        text = (await response.get_data()).decode()
        assert text[0] == "\ufeff"
        return list(csv.DictReader(io.StringIO(text[1:], newline="")))

    return read


async def test_csv_has_the_values_of_the_list(store, rows, download):
    item = await store.item("Soup", 5)
    placed = await store.order(line(item, 2), customer_name="Zoë", note='One\ntwo, "three"', tip_amount=0.5)
    listed = (await store.get("/orders"))["data"][0]

    (row,) = await rows()

    assert list(row) == list(exports.COLUMNS)
    texts = {name: value for name, value in row.items() if name not in exports.AMOUNTS}
    assert texts == {name: to_cell(listed[name]) for name in texts}
    assert (row["is_paid"], row["delivery_status"], row["number"]) == ("false", "", "1")
    assert {name: float(row[name]) for name in exports.AMOUNTS} == {
        name: 0.0 if name == "charges" else listed[name] for name in exports.AMOUNTS
    }
    assert (row["id"], row["total"], row["note"]) == (str(placed["id"]), "10.50", 'One\ntwo, "three"')
    headers = (await download()).headers
    assert headers["Content-Type"] == "text/csv; charset=utf-8"
    assert headers["Content-Disposition"] == 'attachment; filename="orders.csv"'


async def test_json_lines_are_those_of_the_list(store, download):
    item = await store.item("Soup", 5)
    for name in ("Ada", "Zoë"):
        await store.order(line(item), customer_name=name)

    response = await download("format=jsonl")

    assert response.headers["Content-Type"] == "application/x-ndjson; charset=utf-8"
    lines = (await response.get_data()).splitlines()
    assert [orjson.loads(each) for each in lines] == (await store.get("/orders"))["data"]


async def test_formulas_are_escaped_but_negative_amounts_stay_numbers(store, rows):
    item = await store.item("Soup", 5)
    for name in ("=1+1", "@sum", "+351", "-2", "\tx", "a=b"):
        order = await store.order(line(item), customer_name="x", note=name)
        # Clients may not send tabs at the start; older rows may have them.
        await sql.execute("UPDATE core_order SET note = $2, rounding_minor = -2 WHERE id = $1", order["id"], name)

    found = await rows()

    assert [row["note"] for row in found] == ["a=b", "'\tx", "'-2", "'+351", "'@sum", "'=1+1"]
    assert {row["rounding"] for row in found} == {"-0.02"}


async def test_export_is_filtered_and_continues_over_pages(store, rows, monkeypatch):
    monkeypatch.setattr(exports, "PAGE_SIZE", 2)
    item = await store.item("Soup", 5)
    placed = [await store.order(line(item, 1 + number % 2), customer_name="Ada") for number in range(7)]

    assert [int(row["id"]) for row in await rows()] == [order["id"] for order in reversed(placed)]
    assert [int(row["id"]) for row in await rows("min_total=10")] == [placed[n]["id"] for n in (5, 3, 1)]
    assert await rows("customer=nobody") == []


async def test_amounts_have_the_decimals_of_the_currency(open_store, owner, client):
    tokyo = await open_store("restaurant", currency="JPY")
    await tokyo.order(line(await tokyo.item("Soup", 500)))

    response = await client.get(f"/api/v1/restaurants/{tokyo.id}/orders/export", headers=owner.auth)

    (row,) = csv.DictReader(io.StringIO((await response.get_data()).decode("utf-8-sig")))
    assert (row["total"], row["currency"]) == ("500", "JPY")


async def test_orders_of_other_stores_are_not_exported(store, download, rows, client, open_store, other_owner):
    placed = await store.order(line(await store.item("Soup", 5)))
    sibling = await open_store("restaurant")
    await sibling.order(line(await sibling.item("Soup", 5)))
    foreign = TestStore(client, other_owner, await other_owner.store())
    await foreign.order(line(await foreign.item("Soup", 5)))

    assert [row["id"] for row in await rows()] == [str(placed["id"])]
    for answer in (await download(auth=other_owner.auth), await download(store_id=foreign.id)):
        assert (answer.status_code, (await answer.get_json())["code"]) == (404, "not_found")
    assert (await download(auth={})).status_code == 401


async def test_unknown_format_is_refused(download):
    refused = await download("format=xml")

    assert refused.status_code == 422
    assert list((await refused.get_json())["errors"]) == ["format"]
