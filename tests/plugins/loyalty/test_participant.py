"""What rewards take off an order, and why one is refused."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.mark.parametrize(
    ("fields", "discount"),
    [
        ({"type": "percentage", "value": 12.5}, 2.5),
        ({"type": "fixed", "value": 100}, 20),
        ({"type": "percentage", "value": 100}, 20),
    ],
)
async def test_reward_never_takes_off_more_than_the_goods_cost(rich, soup, new_reward, fields, discount):
    order = await rich.order(line(soup, 2), reward=await new_reward(**fields))

    assert (order["discount_total"], order["total"]) == (discount, 20 - discount)


async def test_free_item_is_one_unit_of_it(store, rich, soup, new_reward):
    cake = await store.item("Cake", price=4)
    reward = await new_reward(type="item", value=None, item_id=cake["id"])

    without = await rich.place(line(soup), reward=reward)
    order = await rich.order(line(soup), line(cake, 3), reward=reward)

    assert (without.status, without["reason"]) == (422, "not_applicable")
    assert (order["discount_total"], order["items"][1]["discount"]) == (4, 4)


async def test_reward_is_refused_with_a_reason(store, rich, soup, reward, new_customer, set_programme):
    poor = await new_customer("Eve")
    assert (await store.send("POST", "/coupons", {"code": "TEN", "type": "fixed", "value": 1})).status == 201

    async def get_reason(placing):
        reply = await placing
        assert (reply.status, list(reply.errors)) == (422, ["loyalty_reward"])
        return reply["reason"]

    body = {"type": "takeaway", "items": [line(soup)], "loyalty_reward": reward}
    assert await get_reason(poor.place(line(soup), reward=reward)) == "points"
    assert await get_reason(rich.place(line(soup), reward=reward + 1)) == "unknown"
    assert await get_reason(rich.place(line(soup), reward=reward, coupon_code="TEN")) == "coupon"
    assert await get_reason(store.send("POST", "/orders", body)) == "signed_out"
    await set_programme(is_on=False)
    assert await get_reason(rich.place(line(soup), reward=reward)) == "unknown"
    assert await rich.points() == 60
    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", store.id) == 0


@pytest.mark.parametrize("value", [True, 0, -1, 2**70, "x", 1.5, [], {}, "1; --"])
async def test_invalid_reward_is_refused(rich, soup, reward, value):
    reply = await rich.place(line(soup), loyalty_reward=value)

    assert (reply.status, list(reply.errors)) == (422, ["loyalty_reward"])


async def test_amended_order_keeps_its_reward_and_cannot_be_split(store, rich, soup, reward):
    order = await rich.order(line(soup, 2), reward=reward)
    added = await store.send("POST", f"/orders/{order['id']}/lines", {"items": [line(soup)]})
    moved = {"lines": [{"line_id": order["items"][0]["id"], "quantity": 1}]}
    split = await store.send("POST", f"/orders/{order['id']}/split", moved)
    assert (await store.send("DELETE", f"/loyalty/rewards/{reward}")).status == 204

    assert added.status in {200, 201}, added
    assert (split.status, split["reason"]) == (409, "amendment_unsupported")
    record = await store.get(f"/orders/{order['id']}")
    assert (record["discount_total"], record["total"]) == (5, 25)
    assert await rich.points() == 10


async def test_order_without_reward_costs_no_statement(store, ada, soup, programme, reward, monkeypatch):
    seen, acquire = [], sql._acquire_connection
    await ada.order(line(soup))
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    await ada.order(line(soup))
    await store.order(line(soup))

    assert [text for text in seen if "loyalty_" in text] == []


async def test_cancelling_an_order_without_reward_costs_no_statement(ada, soup, programme, cancel, monkeypatch):
    order = await ada.order(line(soup))
    seen, acquire = [], sql._acquire_connection
    monkeypatch.setattr(sql, "_acquire_connection", lambda text: seen.append(text) or acquire(text))

    assert (await cancel(order)).status == 200

    assert [text for text in seen if "loyalty_" in text] == []
