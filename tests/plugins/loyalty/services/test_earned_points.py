"""What orders earn: by what was paid, once for each event however often it comes, less what is refunded."""

import pytest
from comanda.devkit.testing import line


async def test_paid_order_earns_once(ada, paid_order, handle, gather, check_ledger):
    await gather(*(handle(paid_order) for _ in range(6)))

    assert await ada.entries() == [("earn", 20)]
    assert await ada.points() == 20
    await check_ledger()


async def test_unpaid_order_earns_nothing(ada, soup, programme, handle):
    order = await ada.order(line(soup))

    await handle(order)

    assert await ada.entries() == []


async def test_events_of_payments_reach_the_ledger(ada, soup, programme, pay, dispatch):
    order = await ada.order(line(soup))
    await pay(order)

    await dispatch()

    assert await ada.entries() == [("earn", 10)]


@pytest.mark.parametrize(("amount", "left"), [(5, 15), (20, 0), (0.01, 20), (19.99, 1)])
async def test_refund_takes_back_its_part(ada, paid_order, refund, handle, check_ledger, amount, left):
    await refund(paid_order, amount)
    await handle(paid_order)

    assert await ada.points() == left
    await check_ledger()


async def test_cancelled_order_takes_all_back_once(ada, paid_order, cancel, handle, check_ledger):
    assert (await cancel(paid_order)).status == 200

    await handle(paid_order)
    await handle(paid_order)

    assert await ada.entries() == [("earn", 20), ("revoke", -20)]
    await check_ledger()


async def test_refund_of_spent_points_makes_balance_negative(ada, paid_order, refund, handle, check_ledger):
    assert (await ada.adjust(-20)).status == 201

    await refund(paid_order)
    await handle(paid_order)

    assert await ada.points() == -20
    await check_ledger()


async def test_changed_programme_does_not_change_the_past(ada, paid_order, set_programme, refund, handle):
    await set_programme(points=10)
    await handle(paid_order)
    assert await ada.points() == 20

    await set_programme(is_on=False)
    await refund(paid_order, 10)
    await handle(paid_order)

    assert await ada.points() == 10


@pytest.mark.parametrize(
    ("fields", "earned"),
    [
        ({"points": 3}, 60),
        ({"earn_by": "order"}, 1),
        ({"earn_by": "item", "points": 2}, 4),
        ({"min_order": 20}, 20),
        ({"min_order": 20.01}, 0),
        ({"is_on": False}, 0),
    ],
)
async def test_programme_says_what_an_order_earns(ada, soup, set_programme, pay, handle, fields, earned):
    await set_programme(**fields)
    order = await ada.order(line(soup, 2), tip_amount=5)
    await pay(order)

    await handle(order)

    assert await ada.points() == earned


async def test_guest_without_account_earns_nothing(store, soup, programme, pay, handle):
    order = await store.order(line(soup), phone="+351912345678")
    await pay(order)

    await handle(order)

    assert (await store.send("GET", "/loyalty/customers/1")).status == 404
