"""Differences of cash drawers, counted once each on the day on which the drawer was counted."""

import asyncio

import pytest
from comanda_closings.services import drawer_differences


@pytest.fixture
def count_drawer(shop):
    """Return a function that opens a drawer with 100.00, closes it with an amount, and returns the shift's key."""

    async def count(amount):
        shift = (await shop.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})).document
        await shop.send("POST", f"/shifts/{shift['id']}/close", {"counted": amount})
        return shift["id"], shop.owner.id

    return count


async def get_difference(shop):
    return (await shop.get("/closings/open"))["figures"]["drawer_differences"]


async def test_difference_counts_once_and_in_no_other_figure(shop, count_drawer):
    short, right, over = [await count_drawer(amount) for amount in (97.5, 100, 100.5)]

    await asyncio.gather(*(drawer_differences.count_shifts([short, right, over]) for _ in range(4)))

    assert await shop.figures() == {"drawer_differences": -2}


async def test_pending_difference_is_in_the_closing_and_later_ones_on_the_next_day(shop, count_drawer):
    pending = await count_drawer(97.5)

    closing = (await shop.close()).document
    await drawer_differences.count_shifts([pending])
    late = await count_drawer(101)
    await drawer_differences.count_shifts([late])

    assert closing["figures"]["drawer_differences"] == -2.5
    assert await get_difference(shop) == 1


async def test_open_drawer_counts_for_nothing(shop):
    shift = (await shop.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})).document

    await drawer_differences.count_shifts([(shift["id"], shop.owner.id)])

    assert await get_difference(shop) == 0
