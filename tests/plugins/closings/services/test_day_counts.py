"""Counting of orders: repeated, late, from both sides of a closing, and beside an item that moves."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_closings.services import day_counts

TOTALS = """
    SELECT business_day::text, calendar_day::text, section, code, count, amount_minor::bigint, tax_minor::bigint
    FROM closings_day_total
    WHERE store_id = $1 AND (count, amount_minor, tax_minor) <> (0, 0, 0) ORDER BY 1, 2, 3, 4
"""


@pytest.fixture
def totals(shop):
    """Return a function that lists the stored totals."""

    async def read():
        return [tuple(row) for row in await sql.fetch(TOTALS, shop.id)]

    return read


async def test_counting_again_changes_nothing(shop, totals):
    order = await shop.order(line(shop.soup, 2))
    await shop.pay(order, tip=1)
    await shop.count_orders()
    first = await totals()

    await day_counts.count_orders({(order["id"], shop.owner.id)})

    assert first
    assert await totals() == first


async def test_merged_order_moves_with_its_payments(shop, totals):
    orders = [await shop.order(line(shop.soup), type="on-table", table_number="4") for _ in range(2)]
    await shop.pay(orders[1], 4)
    await shop.count_orders()
    before = await shop.report()

    await shop.act(orders[0], "/merge", {"order_id": orders[1]["id"]})
    await shop.count_orders()

    after = await shop.report()
    assert (after["figures"]["payments"], after["figures"]["net_sales"]) == (4, 20)
    assert after["tenders"] == before["tenders"]
    assert (after["figures"]["orders"], after["figures"]["cancelled"]) == (1, 0)


async def test_change_of_an_order_of_a_closed_day_counts_on_the_next(shop, totals):
    await shop.allow_open_checks()
    order = await shop.order(line(shop.soup, 2))
    await shop.count_orders()
    await shop.close()

    await shop.void(order)
    await shop.count_orders()

    # Days of the calendar are never closed.
    assert ("2030-05-16", "2030-05-15", "figure", "voids", 1, 1000, 0) in await totals()


async def test_sale_stays_in_its_category(shop):
    order = await shop.order(line(shop.soup))
    await shop.count_orders()
    other = (await shop.send("POST", "/menu/categories", {"name": "Starters"})).document
    await shop.send("PUT", f"/menu/items/{shop.soup['id']}", {"category_id": other["id"]})
    before = (await shop.report())["categories"]

    await shop.pay(order)
    await shop.count_orders()

    assert (await shop.report())["categories"] == before


async def test_tip_is_that_of_who_serves(shop, client):
    member = (await shop.send("POST", "/staff", {"name": "Ada", "role": "waiter", "pin": "4826"})).document
    order = await shop.order(line(shop.soup), tip_amount=1)
    await sql.execute(
        """UPDATE core_order SET attributes = jsonb_build_object('served_by', $2::text) WHERE id = $1""",
        order["id"],
        f"staff:{member['id']}",
    )
    await shop.pay(order, tip=2)

    [row] = (await shop.report())["staff"]

    assert row == {"served_by": f"staff:{member['id']}", "name": "Ada", "orders": 1, "net_sales": 10, "tips": 3}
