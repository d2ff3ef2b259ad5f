"""Points that expire: the oldest first, less what was spent of them."""

import pytest
from comanda.devkit.testing import line
from comanda_loyalty.tasks import expire_points


@pytest.fixture
async def expiring(set_programme):
    return await set_programme(expires_after_months=12)


@pytest.mark.usefixtures("expiring")
async def test_points_expire_once(ada, clock, check_ledger):
    await ada.adjust(30)
    clock.advance(days=200)
    await ada.adjust(10)
    clock.advance(days=160)
    await expire_points()
    assert await ada.points() == 40

    clock.advance(days=10)
    await expire_points()
    await expire_points()

    assert await ada.entries() == [("adjust", 30), ("adjust", 10), ("expire", -30)]
    await check_ledger()


@pytest.mark.usefixtures("expiring")
async def test_spending_takes_the_oldest_first(ada, clock):
    await ada.adjust(30)
    clock.advance(days=200)
    await ada.adjust(10)
    await ada.adjust(-25)
    clock.advance(days=200)

    await expire_points()

    assert await ada.points() == 10


async def test_points_of_a_refund_do_not_go_twice(ada, paid_order, set_programme, clock, refund, handle, check_ledger):
    await set_programme(expires_after_months=1)
    clock.advance(days=40)
    await expire_points()
    assert await ada.points() == 0

    await refund(paid_order)
    await handle(paid_order)

    assert await ada.entries() == [("earn", 20), ("expire", -20)]
    await check_ledger()


async def test_refund_before_expiry_leaves_younger_points(
    ada, soup, paid_order, set_programme, clock, refund, pay, handle
):
    await set_programme(expires_after_months=2)
    clock.advance(days=40)
    await refund(paid_order)
    await handle(paid_order)
    order = await ada.order(line(soup))
    await pay(order)
    await handle(order)

    clock.advance(days=30)
    await expire_points()

    assert await ada.entries() == [("earn", 20), ("revoke", -20), ("earn", 10)]


async def test_programme_that_is_off_expires_nothing(ada, expiring, set_programme, clock):
    await ada.adjust(30)
    await set_programme(is_on=False, expires_after_months=12)
    clock.advance(days=800)

    await expire_points()

    assert await ada.points() == 30
