"""Rewards in orders: points are taken once, with the order, and given back with it."""

from comanda.devkit.testing import line


async def test_reward_takes_points_and_amount_off(rich, soup, reward, check_ledger):
    order = await rich.order(line(soup, 2), reward=reward)

    assert (order["discount_total"], order["total"], order["loyalty_reward"]) == (5, 15, reward)
    assert await rich.entries() == [("adjust", 60), ("redeem", -50)]
    await check_ledger()


async def test_last_points_are_spent_once_in_a_race(rich, soup, reward, gather, check_ledger):
    replies = await gather(*(rich.place(line(soup), reward=reward) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] + [422] * 7
    assert {reply["reason"] for reply in replies if reply.status == 422} == {"points"}
    assert await rich.points() == 10
    await check_ledger()


async def test_repeated_order_takes_points_once(rich, soup, reward):
    for _ in range(3):
        await rich.order(line(soup), reward=reward, client_uuid="one")

    assert await rich.points() == 10


async def test_cancelled_order_gives_points_back_and_reopened_takes_them(rich, soup, reward, cancel, check_ledger):
    order = await rich.order(line(soup), reward=reward)

    await cancel(order)
    assert await rich.points() == 60
    assert (await cancel(order, "new")).status == 200
    assert await rich.points() == 10

    await cancel(order)
    await rich.adjust(-40)
    reply = await cancel(order, "new")
    assert (reply.status, reply["reason"]) == (422, "points")
    assert await rich.points() == 20
    await check_ledger()
