"""Closings with their sums, for plugins that book them."""

from datetime import date

import pytest
from comanda.basics import NotFound
from comanda.devkit.testing import line
from comanda_closings.api import get_closed_to, list_closed_days

DAY = date(2030, 5, 15)
ALLOWANCES = {("allowance", "0"): (1, 500, 0)}


@pytest.fixture
def close(shop):
    """Return a function that closes the day and returns the allowances of all closings."""

    async def close_day():
        assert (await shop.close()).status == 201
        closings = await list_closed_days(shop.owner.caller, shop.id, DAY, date(2030, 6, 1))
        return [
            {key: amounts for key, amounts in each.sums.by_key.items() if key[0] == "allowance"} for each in closings
        ]

    return close_day


async def test_refund_of_what_stays_sold_is_an_allowance(shop, close):
    order = await shop.order(line(shop.soup))
    await shop.pay(order)
    await shop.refund(order, 5)

    assert await close() == [ALLOWANCES]


async def test_refund_of_a_tip_is_none_of_sales(shop, close):
    order = await shop.order(line(shop.soup), tip_amount=10)
    await shop.pay(order)
    await shop.refund(order, 10)

    assert await close() == [{**ALLOWANCES, ("allowance", ""): (1, 500, 0)}]


async def test_refund_of_a_cancelled_order_is_no_allowance(shop, close, clock):
    order = await shop.order(line(shop.soup))
    await shop.pay(order)
    await shop.refund(order, 5)
    first = await close()
    clock.advance(days=1)
    await shop.cancel(order)

    assert first == [ALLOWANCES]
    assert await close() == [ALLOWANCES, {("allowance", "0"): (-1, -500, 0)}]


async def test_refund_that_is_due_again_is_no_allowance(shop, close):
    await shop.allow_open_checks()
    order = await shop.order(line(shop.soup))
    await shop.pay(order, 6)
    await shop.refund(order, 5)

    assert await close() == [{}]


async def test_only_the_owner_has_closings(shop, other_owner, close):
    await close()

    assert await get_closed_to(shop.owner.caller, shop.id) == DAY
    for read in (get_closed_to(other_owner.caller, shop.id), list_closed_days(other_owner.caller, shop.id, DAY, DAY)):
        with pytest.raises(NotFound):
            await read
