"""Lists of orders."""

from collections import Counter

import pytest
from comanda.contracts.orders.sections import Record
from comanda.contracts.orders.status import Status
from comanda.devkit.testing.stores import TestStore, line
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


async def test_a_store_without_orders_has_one_empty_page(store):
    assert (await store.get("/orders")).document == {
        "data": [],
        "current_page": 1,
        "last_page": 1,
        "per_page": 30,
        "total": 0,
    }


async def test_orders_come_newest_first_in_pages_of_thirty(store, soup):
    ids = [(await store.order(line(soup)))["id"] for _ in range(31)][::-1]

    first, second, third = [await store.get(f"/orders?page={number}") for number in (1, 2, 3)]
    small = await store.get("/orders?per_page=10&page=4")

    assert [row["id"] for row in first["data"]] == ids[:30]
    assert [row["id"] for row in second["data"]] == ids[30:]
    assert (first["last_page"], first["total"], second["current_page"]) == (2, 31, 2)
    assert (third["data"], third["total"]) == ([], 31)
    assert ([row["id"] for row in small["data"]], small["last_page"], small["per_page"]) == (ids[30:], 4, 10)


async def test_list_rows_have_no_lines_and_sections(store, soup, runtime):
    order = await store.order(line(soup), customer_name="Zoë", tip_amount=1)

    (row,) = (await store.get("/orders"))["data"]

    sections = [section.fields for section in runtime.registry.sections if section.record is Record.ORDER]
    sectioned = {name for fields in sections for name in fields.model_fields}

    of_one = {"items", "timeline", "amendments", "discounts", "voided_items", *sectioned}
    assert row == {name: value for name, value in order.items() if name not in of_one}


@pytest.mark.parametrize("status", ["done", "NEW", "new,ready", "new'--"])
async def test_an_unknown_status_is_refused(store, status):
    refused = await store.send("GET", f"/orders?status={status}")

    assert refused.errors == {"status": ["Must be one of: new, preparing, ready, delivered, completed, cancelled."]}


async def test_a_list_has_its_own_stores_orders_alone(store, owner, client, soup):
    sister = TestStore(client, owner, await owner.store())
    await store.order(line(soup))
    theirs = await sister.order(line(await sister.item()))

    assert [row["id"] for row in (await sister.get("/orders"))["data"]] == [theirs["id"]]
    assert (await sister.get("/orders?status=new"))["total"] == 1


PLACE = "place"
STEPS = st.lists(
    st.one_of(st.just(PLACE), st.tuples(st.integers(0, 30), st.sampled_from([status.value for status in Status]))),
    max_size=25,
)


@given(steps=STEPS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_list_totals_equal_a_count(client, owner, steps):
    store = TestStore(client, owner, await owner.store())
    soup = await store.item("Soup", 5)
    orders: list[tuple[int, str]] = []

    for step in [PLACE, *steps]:
        if step == PLACE:
            orders.append(((await store.order(line(soup)))["id"], "new"))
        else:
            chosen, status = step
            order_id, _ = orders[chosen % len(orders)]
            assert (await store.set_status(order_id, status)).status == 200
            orders[chosen % len(orders)] = (order_id, status)

    counted = Counter(status for _, status in orders)
    assert await totals(store) == {status.value: counted[status.value] for status in Status}
    assert (await store.get("/orders"))["total"] == len(orders)


async def totals(store):
    return {status.value: (await store.get(f"/orders?status={status}"))["total"] for status in Status}
