"""The index of the text search: it finds what comparing all orders finds."""

from datetime import timedelta

import pytest
from comanda.basics.clock import now
from comanda.contracts.erasure import DELETED_CUSTOMER
from comanda.contracts.requests.paging import PageRequest
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders import erasure
from comanda.orders.lists import search_index
from comanda.orders.lists.search import OrderFilter, OrderScope, search_orders
from comanda.orders.lists.search_grams import parse_text
from comanda.platform.db import sql

PEOPLE = (
    ("João Guimarães", "+351 912 345 678"),
    ("JOAO 12", None),
    ("Ana #7 - 100%_sure\\", "(0351) 21/555.01-40"),
    ("Łukasz Żółć", "999"),
    ("李小龍", "+86 10 6552 9988"),
    ("x", None),
    (None, "5550140"),
)
TEXTS = (
    "joao", "GUIM", "guimarães", "ão g", "oa", "j", "12", "1", "#7", "#", "7 -", "100%", "%", "_sure\\", "nobody",
    "912345", "555 01 40", "0351215550140", "99", "999", "9988", "lukasz", "żółć", "小龍", "李小龍", "x", "#12",
    "999999999999999999", "-- ", "ana  #7",
)  # fmt: skip


@pytest.fixture
async def scope(owner, store):
    """Give the store orders of people, and two of nobody."""
    item = await store.item("Soup", 5)
    # Orders of other tests may be of any time, and those that are young hold up the index; they are added first.
    await sql.execute("UPDATE core_order SET created_at = '2020-01-01'")
    while await search_index.add_settled_orders():
        pass
    for name, phone in PEOPLE:
        await store.order(line(item), customer_name=name, phone=phone)
    for _ in range(2):
        await store.order(line(item))
    return OrderScope(owner.id, store.id)


@pytest.fixture
def fill_index(clock):
    async def fill():
        clock.advance(minutes=2)
        return await search_index.add_settled_orders()

    return fill


async def list_ids(scope, **filters):
    found = await search_orders(scope, OrderFilter(**filters), PageRequest(1, 100))
    assert found.total == len(found.data)
    return [order.id for order in found.data]


async def list_indexed(scope):
    rows = await sql.fetch("SELECT order_id FROM core_order_search WHERE owner_id = $1 ORDER BY 1", scope.owner_id)
    return [row["order_id"] for row in rows]


async def test_index_finds_what_comparison_finds(scope, fill_index, monkeypatch):
    monkeypatch.setattr(search_index, "BATCH_SIZE", 4)
    orders = sorted(await list_ids(scope))
    texts = [*TEXTS, *(str(id) for id in orders[:2]), f"#{orders[2]}", *(str(number) for number in range(1, 10))]
    compared = {text: (await list_ids(scope, text=text), await list_ids(scope, customer=text)) for text in texts}
    assert compared["joao"][0] == orders[1::-1]
    assert compared["912345"][0] == orders[:1]

    await fill_index()

    assert await list_indexed(scope) == orders
    indexed = {text: (await list_ids(scope, text=text), await list_ids(scope, customer=text)) for text in texts}
    assert indexed == compared


async def test_index_excludes_most_orders(scope, fill_index):
    first = min(await list_ids(scope))

    async def find(text):
        return await search_index.find_candidates(scope.owner_id, scope.store_id, parse_text(text, with_numbers=True))

    assert len(await find("joao")) == len(PEOPLE) + 2
    await fill_index()

    assert await find("joao gui") == [first]
    assert await find("(0351) 912345678") == [first]
    assert await find("nobody") == []
    assert await find("xy") is None


async def test_orders_that_may_not_be_settled_wait(scope, fill_index, store, clock):
    orders = sorted(await list_ids(scope))
    young = orders[4]
    await sql.execute("UPDATE core_order SET created_at = $2 WHERE id = $1", young, now() + timedelta(minutes=5))

    await fill_index()
    assert await list_indexed(scope) == orders[:4]
    found = await list_ids(scope, text="小龍")

    clock.advance(minutes=10)
    await search_index.add_settled_orders()
    assert await list_indexed(scope) == orders
    assert await list_ids(scope, text="小龍") == found == [young]


async def test_texts_with_many_candidates_are_compared(scope, fill_index, monkeypatch):
    await fill_index()
    monkeypatch.setattr(search_index, "MAX_CANDIDATES", 1)
    text = parse_text("joao", with_numbers=True)

    assert await search_index.find_candidates(scope.owner_id, scope.store_id, text) is None
    assert len(await list_ids(scope, text="joao")) == 2


async def test_index_is_of_one_store(scope, fill_index, client, other_owner, open_store):
    sibling = await open_store("restaurant")
    foreign = TestStore(client, other_owner, await other_owner.store())
    for other in (sibling, foreign):
        await other.order(line(await other.item("Soup", 5)), customer_name="João Guimarães")
    await fill_index()

    text = parse_text("guimar", with_numbers=False)
    assert await search_index.find_candidates(scope.owner_id, scope.store_id, text) == [min(await list_ids(scope))]
    assert await search_index.find_candidates(scope.owner_id, foreign.id, text) == []
    assert await search_index.find_candidates(other_owner.id, scope.store_id, text) == []


async def test_erased_names_leave_the_index(scope, fill_index):
    orders = sorted(await list_ids(scope))
    await fill_index()

    async with sql.transaction():
        await erasure.lock_for_erasure()
        await erasure.anonymize_orders(scope.owner_id, orders[:1])

    grams = await sql.fetch_value(
        "SELECT grams FROM core_order_search WHERE owner_id = $1 AND order_id = $2", scope.owner_id, orders[0]
    )
    assert not [gram for gram in grams if "joa" in gram or "9123" in gram]
    assert await list_ids(scope, customer="guimar") == []
    assert await list_ids(scope, customer=DELETED_CUSTOMER) == orders[:1]
