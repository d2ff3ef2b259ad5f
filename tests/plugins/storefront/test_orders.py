"""Orders that a storefront places: what it may order, when, how often, and that they stay in its store."""

import asyncio
import json
from datetime import timedelta

import pytest
from comanda.devkit.testing.stores import line


async def test_an_order_is_taken_unpaid_and_tells_where_a_guest_goes_on(front, store, soup, published):
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


async def test_prices_are_the_menus_whatever_a_client_sends(front, soup):
    placed = await front.order({**line(soup, 3), "price": 0.01, "unit_price": 0.01}, total=0.01)

    assert placed["total"] == 15.0


async def test_an_order_at_the_table_names_its_table(front, store, soup, count_orders):
    refused = await front.refused(line(soup), type="on-table")
    assert list(refused["errors"]) == ["table_number"]
    assert await count_orders() == 0

    placed = await front.order(line(soup), type="on-table", table_number=4)
    assert (await store.get(f"/orders/{placed['id']}"))["table_number"] == "4"


@pytest.mark.parametrize("mode", ["delivery", "room_service", "ship", "in_store", "teleport", ""])
async def test_a_restaurant_takes_no_other_kinds_of_orders_from_guests(front, soup, count_orders, mode):
    refused = await front.refused(line(soup), type=mode, address="Rua 1", room_number="1", table_number="1")

    assert refused["errors"] == {"type": ["This store takes: on-table, takeaway."]}
    assert await count_orders() == 0


async def test_a_shop_takes_the_collection_modes_of_its_vertical(open_store, front_of, owner, count_orders):
    shop = await open_store("retail")
    front, socks = await front_of(owner, shop.id), await shop.item("Socks", 6)

    assert (await front.order(line(socks), type="in_store"))["total"] == 6.0
    slot = await front.order(line(socks), type="pickup_slot")
    assert (await shop.get(f"/orders/{slot['id']}"))["scheduled_for"] is not None
    for mode in ("ship", "delivery", "takeaway"):
        assert list((await front.refused(line(socks), type=mode, address="Rua 1"))["errors"]) == ["type"]
    assert await count_orders() == 2


async def test_40_lines_of_30_are_the_most(front, soup, count_orders):
    assert (await front.order(*[line(soup, 30)] * 40))["total"] == 6000.0

    assert list((await front.refused(*[line(soup)] * 41))["errors"]) == ["items"]
    assert list((await front.refused(line(soup), line(soup, 31)))["errors"]) == ["items.1.quantity"]
    assert list((await front.refused())["errors"]) == ["items"]
    assert list((await front.refused(line(soup, 0)))["errors"]) == ["items.0.quantity"]
    assert await count_orders() == 1


async def test_a_closed_store_takes_none_and_tells_when_it_opens(front, soup, closed, clock, count_orders):
    refused = await front.refused(line(soup))

    assert (refused["code"], refused["reason"]) == ("validation_failed", "store_closed")
    assert (list(refused["errors"]), refused["next_open_at"]) == (["type"], "2026-06-01T18:00:00+00:00")
    assert await count_orders() == 0
    # For a time at which it is open it takes them, and from then on at once.
    await front.order(line(soup), scheduled_for="2026-06-01T19:00:00+00:00")
    clock.advance(hours=6)
    await front.order(line(soup))
    assert await count_orders() == 2


async def test_items_that_are_sold_out_hidden_or_anothers_refuse_the_whole_order(
    front, store, soup, other_store, count_orders
):
    sold_out, hidden = await store.item("Fish", is_sold_out=True), await store.item("Secret", is_active=False)
    foreign = await other_store.item("Foreign")

    refused = await front.refused(line(soup), *map(line, (sold_out, hidden, foreign)), {"item_id": 987_654_321})

    assert list(refused["errors"]) == [f"items.{place}.item_id" for place in (1, 2, 3, 4)]
    assert "Foreign" not in str(refused)
    assert await count_orders() == 0


async def test_counted_stock_is_taken_with_the_order_and_never_oversold(open_store, front_of, owner, count_orders):
    shop = await open_store("retail")
    front, socks = await front_of(owner, shop.id), await shop.item("Socks", 6, stock=3)

    tried = await asyncio.gather(*(front.post(line(socks), type="in_store") for _ in range(6)))

    assert sorted(status for status, *_ in tried) == [201] * 3 + [422] * 3
    assert await count_orders() == 3


async def test_a_key_places_one_order_however_many_ask_at_once(front, soup, count_orders):
    tried = await asyncio.gather(*(front.post(line(soup), key="same-key") for _ in range(8)))

    assert {status for status, *_ in tried} == {201}
    assert len({document["track_token"] for _, document, _ in tried}) == 1
    assert sum(headers.get("Idempotent-Replayed") == "true" for *_, headers in tried) == 7
    assert await count_orders() == 1


async def test_a_repeat_answers_with_the_first_order_even_after_the_item_sold_out(front, store, soup, count_orders):
    _, first, _ = await front.post(line(soup), client_uuid="a-key-of-16-chars")
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    status, again, headers = await front.post(line(soup, 2), client_uuid="a-key-of-16-chars")

    assert (status, again) == (201, first)
    assert (headers["Idempotent-Replayed"], headers["Idempotency-Mismatch"]) == ("true", "true")
    assert await count_orders() == 1


async def test_a_refused_order_uses_no_key_up_and_an_owners_key_is_another(front, store, soup, count_orders):
    await front.refused(line(soup, 31), key="k")
    placed = await front.order(line(soup), key="k")

    assert (await store.place(line(soup), key="k"))["id"] != placed["id"]
    assert await count_orders() == 2
    assert list((await front.refused(line(soup), key="a b"))["errors"]) == ["Idempotency-Key"]


async def test_a_token_orders_in_its_own_store_only(
    front_of, owner, other_owner, other_store, store, soup, count_orders
):
    theirs = await front_of(other_owner, other_store.id)

    refused = await theirs.refused(line(soup), restaurant_id=store.id)

    assert list(refused["errors"]) == ["items.0.item_id"]
    elsewhere = await front_of(owner, await owner.store())
    assert list((await elsewhere.refused(line(soup)))["errors"]) == ["items.0.item_id"]
    assert await count_orders() == 0


@pytest.mark.parametrize("scope", ["menu:read", "agent"])
async def test_ordering_needs_its_scope(front_of, owner, store, soup, client, count_orders, scope):
    refused = await (await front_of(owner, store.id, scope)).refused(line(soup))

    assert (refused["code"], refused["required"]) == ("forbidden", "order:write")
    body = {"type": "takeaway", "items": [line(soup)]}
    assert (await client.post("/api/v1/storefront/orders", json=body, headers=owner.auth)).status_code == 401
    assert (await client.post("/api/v1/storefront/orders", json=body)).status_code == 401
    assert await count_orders() == 0


async def test_a_store_that_is_not_published_or_whose_owner_is_suspended_takes_no_orders(
    front, store, soup, owner, suspend, count_orders
):
    await front.order(line(soup), key="k")
    await store.send("PUT", "/settings", {"is_published": False})
    assert (await front.refused(line(soup)))["code"] == "not_found"

    await store.send("PUT", "/settings", {"is_published": True})
    await suspend(owner)

    assert (await front.refused(line(soup)))["code"] == "not_found"
    assert await count_orders() == 1


async def test_a_tip_is_part_of_the_total(front, soup):
    assert (await front.order(line(soup), tip_amount=1.5))["total"] == 6.5
    assert list((await front.refused(line(soup), tip_amount=-1))["errors"]) == ["tip_amount"]


async def test_a_body_cannot_pretend_to_come_from_a_cart(front, soup):
    for pretended in ({"cart_id": 1, "version": 1, "expected_minor": 1}, "x", 1, None, []):
        assert (await front.order(line(soup), storefront_cart=pretended))["total"] == 5.0


@pytest.mark.parametrize("raw", [b"[", b"[]", b'"x"', b"null", b'{"type": 1}', b'{"items": {}}', b"\xff", b""])
async def test_a_body_that_is_none_is_refused(front, store, count_orders, raw):
    response = await front.client.post(
        "/api/v1/storefront/orders", headers={**front.auth, "Content-Type": "application/json"}, data=raw
    )

    assert response.status_code in {400, 422}
    assert await count_orders() == 0


WHOLE = {
    "type": "on-table", "customer_name": "x", "phone": "x", "address": "x", "table_number": "4", "room_number": "9",
    "tip_amount": 1, "note": "x", "source": "x", "scheduled_for": "2030-01-01T00:00:00Z", "client_uuid": "x",
    "coupon_code": "x",
}  # fmt: skip
NASTY = [
    None, True, 0, -1, 2**53, 2**63, 10**400, 1e308, float("nan"), "", "\x00", "a\x00b", "\ud800", "\u202e", "x" * 5000,
    "9999-12-31T23:59:59-14:00", "2026-01-01T00:00:00", [], [[]], [None], {}, {"\x00": 1}, [{}] * 50,
]  # fmt: skip


@pytest.mark.parametrize("place", [*WHOLE, "items", "item_id", "quantity", "variation", "extras", "other"])
async def test_no_value_of_a_body_makes_the_server_fail(front, soup, place):
    for value in NASTY:
        body = {**WHOLE, "items": [line(soup)], place: value}
        if place in {"item_id", "quantity", "variation", "extras"}:
            body["items"] = [{**line(soup), place: value}]
        response = await front.client.post(
            "/api/v1/storefront/orders",
            headers={**front.auth, "Content-Type": "application/json"},
            data=json.dumps(body).encode(),
        )
        assert response.status_code in {201, 400, 422}, value


async def test_an_order_can_be_followed_by_its_token(front, soup, client, clock):
    placed = await front.order(line(soup))
    clock.advance(days=timedelta(days=1).days)

    response = await client.get(f"/api/v1/track/{placed['track_token']}")

    assert (await response.get_json())["id"] == placed["id"]
