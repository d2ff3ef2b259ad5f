"""Orders that a storefront places."""

import asyncio
from datetime import timedelta

import pytest
from comanda.devkit.testing import line


async def test_unpaid_order_returns_tracking_link(front, store, soup, published):
    status, placed, _ = await front.post(line(soup, 2), customer_name="Ada", phone="+351 1", note="No salt")

    assert status == 201
    order = (await store.get(f"/orders/{placed['id']}")).document
    assert placed == {
        "id": order["id"], "number": 1, "status": "new", "total": 10.0, "currency": "EUR",
        "track_token": order["track_token"], "continue_url": f"http://comanda.test/t/{order['track_token']}",
    }  # fmt: skip
    assert (order["payment_status"], order["is_paid"], order["source"]) == ("unpaid", False, "storefront")
    assert (order["customer_name"], order["phone"], order["note"]) == ("Ada", "+351 1", "No salt")
    assert [name for name, data in await published() if name == "order.created"] == ["order.created"]


async def test_store_that_is_no_longer_published_takes_no_order(front, store, soup, count_orders):
    await front.order(line(soup), key="placed-before")
    await store.send("PUT", "/settings", {"is_published": False})

    for key in ("placed-before", None):
        assert (await front.post(line(soup), key=key))[0] == 404
    assert await count_orders() == 1
    await store.send("PUT", "/settings", {"is_published": True})
    assert (await front.post(line(soup)))[0] == 201


async def test_prices_are_taken_from_menu(front, soup):
    placed = await front.order({**line(soup, 3), "price": 0.01, "unit_price": 0.01}, total=0.01)

    assert placed["total"] == 15.0


@pytest.mark.parametrize("mode", ["delivery", "room_service", "ship", "in_store", "teleport", ""])
async def test_restaurant_refuses_other_order_types(front, soup, count_orders, mode):
    refused = await front.refused(line(soup), type=mode, address="Rua 1", room_number="1", table_number="1")

    assert refused["errors"] == {"type": ["This store takes: on-table, takeaway."]}
    assert await count_orders() == 0


async def test_shop_accepts_collection_modes_of_its_vertical(open_store, front_of, owner, count_orders):
    shop = await open_store("retail")
    front, socks = await front_of(owner, shop.id), await shop.item("Socks", 6)

    assert (await front.order(line(socks), type="in_store"))["total"] == 6.0
    slot = await front.order(line(socks), type="pickup_slot")
    assert (await shop.get(f"/orders/{slot['id']}"))["scheduled_for"] is not None
    for mode in ("ship", "delivery", "takeaway"):
        assert list((await front.refused(line(socks), type=mode, address="Rua 1"))["errors"]) == ["type"]
    assert await count_orders() == 2


async def test_order_has_at_most_40_lines_of_30(front, soup, count_orders):
    assert (await front.order(*[line(soup, 30)] * 40))["total"] == 6000.0

    assert list((await front.refused(*[line(soup)] * 41))["errors"]) == ["items"]
    assert list((await front.refused(line(soup), line(soup, 31)))["errors"]) == ["items.1.quantity"]
    assert list((await front.refused())["errors"]) == ["items"]
    assert list((await front.refused(line(soup, 0)))["errors"]) == ["items.0.quantity"]
    assert await count_orders() == 1


async def test_closed_store_refuses_and_returns_opening_time(front, soup, closed, clock, count_orders):
    refused = await front.refused(line(soup))

    assert (refused["code"], refused["reason"]) == ("validation_failed", "store_closed")
    assert (list(refused["errors"]), refused["next_open_at"]) == (["type"], "2026-06-01T18:00:00+00:00")
    assert await count_orders() == 0
    # For a time at which it is open it takes them, and from then on at once.
    await front.order(line(soup), scheduled_for="2026-06-01T19:00:00+00:00")
    clock.advance(hours=6)
    await front.order(line(soup))
    assert await count_orders() == 2


async def test_unavailable_item_refuses_whole_order(front, store, soup, other_store, count_orders):
    sold_out, hidden = await store.item("Fish", is_sold_out=True), await store.item("Secret", is_active=False)
    foreign = await other_store.item("Foreign")

    refused = await front.refused(line(soup), *map(line, (sold_out, hidden, foreign)), {"item_id": 987_654_321})

    assert list(refused["errors"]) == [f"items.{place}.item_id" for place in (1, 2, 3, 4)]
    assert "Foreign" not in str(refused)
    assert await count_orders() == 0


async def test_counted_stock_is_never_oversold(open_store, front_of, owner, count_orders):
    shop = await open_store("retail")
    front, socks = await front_of(owner, shop.id), await shop.item("Socks", 6, stock=3)

    tried = await asyncio.gather(*(front.post(line(socks), type="in_store") for _ in range(6)))

    assert sorted(status for status, *_ in tried) == [201] * 3 + [422] * 3
    assert await count_orders() == 3


async def test_concurrent_requests_with_one_key_place_one_order(front, soup, count_orders):
    tried = await asyncio.gather(*(front.post(line(soup), key="same-key") for _ in range(8)))

    assert {status for status, *_ in tried} == {201}
    assert len({document["track_token"] for _, document, _ in tried}) == 1
    assert sum(headers.get("Idempotent-Replayed") == "true" for *_, headers in tried) == 7
    assert await count_orders() == 1


async def test_repeat_returns_first_order_after_sell_out(front, store, soup, count_orders):
    _, first, _ = await front.post(line(soup), client_uuid="a-key-of-16-chars")
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    status, again, headers = await front.post(line(soup, 2), client_uuid="a-key-of-16-chars")

    assert (status, again) == (201, first)
    assert (headers["Idempotent-Replayed"], headers["Idempotency-Mismatch"]) == ("true", "true")
    assert await count_orders() == 1


async def test_refused_order_keeps_key_usable(front, store, soup, count_orders):
    await front.refused(line(soup, 31), key="k")
    placed = await front.order(line(soup), key="k")

    assert (await store.place(line(soup), key="k"))["id"] != placed["id"]
    assert await count_orders() == 2
    assert list((await front.refused(line(soup), key="a b"))["errors"]) == ["Idempotency-Key"]


async def test_tip_is_part_of_total(front, soup):
    assert (await front.order(line(soup), tip_amount=1.5))["total"] == 6.5
    assert list((await front.refused(line(soup), tip_amount=-1))["errors"]) == ["tip_amount"]


async def test_order_can_be_tracked_by_token(front, soup, client, clock):
    placed = await front.order(line(soup))
    clock.advance(days=timedelta(days=1).days)

    response = await client.get(f"/api/v1/track/{placed['track_token']}")

    assert (await response.get_json())["id"] == placed["id"]
