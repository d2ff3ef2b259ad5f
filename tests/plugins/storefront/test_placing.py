"""A cart becomes an order once: at the price that was agreed, however many ask for it at once."""

import asyncio

import pytest
from comanda.devkit.testing.stores import line
from comanda_storefront.carts import placing, services
from comanda_storefront.carts.placing import Wish
from comanda_storefront.carts.storing import Contents
from comanda_storefront.models import Cart

TWELVE = {
    "get_store", "get_menu", "search_menu", "get_item", "check_availability", "track_order", "hotel_availability",
    "create_cart", "get_cart", "update_cart", "apply_coupon", "place_order",
}  # fmt: skip


@pytest.fixture
async def cart(guest, soup):
    """Give the arguments that name a cart with two soups of 5."""
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})
    return {"cart_id": made["cart_id"]}


async def test_the_server_has_twelve_tools(guest):
    assert set(await guest.tools()) == TWELVE


@pytest.mark.parametrize(
    ("scopes", "shown"),
    [
        (("agent",), {"track_order"}),
        (("agent", "order:write"), {"track_order", "place_order"}),
        (("agent", "menu:read"), TWELVE - {"place_order"}),
    ],
)
async def test_tools_need_the_scopes_of_what_they_do(guest_of, owner, store, scopes, shown):
    found = set(await (await guest_of(owner, store.id, *scopes)).tools())

    assert found - {"hotel_availability"} == shown - {"hotel_availability"}


async def test_a_guests_agent_orders_from_the_first_question_to_the_tracking(guest, store, published):
    item = await store.item("Tomato soup", 5)
    kinds = [mode["code"] for mode in (await guest.call("get_store"))["modes"]]
    [found] = (await guest.call("search_menu", {"query": "tomato"}))["items"]
    assert (await guest.call("check_availability", {"type": kinds[0]}))["is_available"]
    cart = await guest.call(
        "create_cart", {"type": kinds[0], "table_number": "4", "items": [{"item_id": found["id"], "quantity": 2}]}
    )

    placed = await guest.call(
        "place_order",
        {
            "cart_id": cart["cart_id"], "customer_name": "Ada", "phone": "+351 1", "note": "Hot, please",
            "idempotency_key": "3f0c", "expected_total": cart["total"],
        },
    )  # fmt: skip

    order = (await store.get(f"/orders/{placed['order']['id']}")).document
    assert (placed["cart"], placed["messages"], placed["order"]["total"]) == (None, [], 10.0)
    assert placed["order"]["continue_url"] == f"http://comanda.test/t/{order['track_token']}"
    assert [(one["item_id"], one["quantity"]) for one in order["items"]] == [(item["id"], 2)]
    assert (order["source"], order["type"], order["table_number"]) == ("mcp", "on-table", "4")
    assert (order["customer_name"], order["phone"], order["note"]) == ("Ada", "+351 1", "Hot, please")
    assert "storefront_cart" not in order
    tracked = await guest.call("track_order", {"track_token": placed["order"]["track_token"]})
    assert (tracked["status"], tracked["is_paid"]) == ("new", False)
    assert [name for name, _ in await published() if name == "order.created"] == ["order.created"]


async def test_a_cart_that_is_placed_again_gives_the_same_order(guest, cart, store, soup, count_orders):
    first = await guest.call("place_order", cart)
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    again = await guest.call("place_order", {**cart, "expected_total": 1, "idempotency_key": "another"})

    assert again["order"] == first["order"]
    assert [(message["type"], message["code"]) for message in again["messages"]] == [("info", "already_placed")]
    assert await count_orders() == 1


@pytest.mark.parametrize("key", [None, "one-key"])
async def test_a_cart_that_many_place_at_once_becomes_one_order(guest, cart, count_orders, published, key):
    arguments = cart if key is None else {**cart, "idempotency_key": key}

    placed = await asyncio.gather(*(guest.call("place_order", arguments) for _ in range(8)))

    assert len({one["order"]["track_token"] for one in placed}) == 1
    assert sum(one["messages"] == [] for one in placed) == 1
    assert await count_orders() == 1
    assert len([name for name, _ in await published() if name == "order.created"]) == 1


async def test_a_placed_cart_shows_its_order_and_cannot_be_changed(guest, cart, store, soup):
    placed = await guest.call("place_order", cart)
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 99})

    found = await guest.call("get_cart", cart)

    assert (found["order"], found["total"], found["is_orderable"]) == (placed["order"], 10.0, False)
    assert found["items"][0]["unit_price"] == 5.0
    assert found["continue_url"] == placed["order"]["continue_url"]
    for tool, arguments in (
        ("update_cart", {"type": "takeaway", "items": [line(soup, 5)]}), ("apply_coupon", {"code": None}),
        ("apply_coupon", {"code": "X"}),
    ):  # fmt: skip
        assert (await guest.refused(tool, {**cart, **arguments}))["code"] == "cart_converted"
    assert (await guest.call("get_cart", cart))["total"] == 10.0


async def test_another_total_than_expected_orders_nothing_and_shows_the_new_one(guest, cart, store, soup, count_orders):
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    refused = await guest.refused("place_order", {**cart, "expected_total": 10})

    assert (refused["code"], refused["order"], refused["cart"]["total"]) == ("price_changed", None, 12.0)
    assert [(one["type"], one["code"], one["path"]) for one in refused["messages"]] == [
        ("error", "price_changed", "expected_total")
    ]
    assert "12.00 EUR" in refused["message"]
    assert await count_orders() == 0
    assert (await guest.call("place_order", {**cart, "expected_total": 12}))["order"]["number"] == 1


async def test_a_refused_total_uses_up_neither_a_number_nor_a_key_nor_stock(guest_of, open_store, owner, count_orders):
    shop = await open_store("retail")
    guest, socks = await guest_of(owner, shop.id), await shop.item("Socks", 6, stock=1)
    made = await guest.call("create_cart", {"type": "in_store", "items": [line(socks)]})
    arguments = {"cart_id": made["cart_id"], "idempotency_key": "k"}

    await guest.refused("place_order", {**arguments, "expected_total": 5})
    assert await count_orders() == 0

    assert (await guest.call("place_order", {**arguments, "expected_total": 6}))["order"]["number"] == 1


async def test_a_total_that_the_currency_cannot_have_is_refused(guest, cart, count_orders):
    refused = await guest.refused("place_order", {**cart, "expected_total": 10.001})

    assert list(refused["errors"]) == ["expected_total"]
    assert await count_orders() == 0


async def test_a_closed_store_orders_nothing_and_tells_when_it_opens(guest, closed, soup, clock, count_orders):
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup)]})

    refused = await guest.refused("place_order", {"cart_id": made["cart_id"]})

    assert (refused["code"], refused["order"]) == ("store_closed", None)
    assert "2026-06-01T18:00:00+00:00" in refused["messages"][0]["text"]
    assert await count_orders() == 0
    clock.advance(hours=5)
    await guest.call("get_cart", {"cart_id": made["cart_id"]})
    clock.advance(hours=1)
    assert (await guest.call("place_order", {"cart_id": made["cart_id"]}))["messages"] == []


async def test_items_that_sold_out_since_order_nothing(guest, cart, store, soup, count_orders):
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    refused = await guest.refused("place_order", cart)

    assert [(one["code"], one["path"]) for one in refused["messages"]] == [("sold_out", "items.0.item_id")]
    assert refused["cart"]["total"] == 0
    assert await count_orders() == 0


async def test_the_last_piece_goes_to_one_of_two_carts(guest_of, open_store, owner, count_orders):
    shop = await open_store("retail")
    guest, socks = await guest_of(owner, shop.id), await shop.item("Socks", 6, stock=1)
    carts = [await guest.call("create_cart", {"type": "in_store", "items": [line(socks)]}) for _ in range(2)]

    tried = await asyncio.gather(
        *(
            guest.request("tools/call", {"name": "place_order", "arguments": {"cart_id": one["cart_id"]}})
            for one in carts
        )
    )

    results = sorted((one["result"] for one in tried), key=lambda result: result["isError"])
    assert [result["isError"] for result in results] == [False, True]
    assert results[1]["structuredContent"]["code"] == "sold_out"
    assert await count_orders() == 1


async def test_a_key_gives_its_order_from_another_cart_with_the_same_in_it(guest, cart, soup, count_orders):
    first = await guest.call("place_order", {**cart, "idempotency_key": "k"})
    other = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})

    again = await guest.call("place_order", {"cart_id": other["cart_id"], "idempotency_key": "k"})

    assert again["order"] == first["order"]
    assert (await guest.call("get_cart", {"cart_id": other["cart_id"]}))["order"] == first["order"]
    assert await count_orders() == 1


async def test_a_key_of_an_order_with_other_contents_is_refused_without_telling_that_order(
    guest, cart, soup, front, count_orders
):
    await front.order(line(soup), key="a-key-of-16-chars")

    refused = await guest.refused("place_order", {**cart, "idempotency_key": "a-key-of-16-chars"})

    assert (refused["code"], refused.get("order")) == ("idempotency_mismatch", None)
    assert (await guest.call("get_cart", cart))["order"] is None
    assert await count_orders() == 1
    assert (await guest.call("place_order", {**cart, "idempotency_key": "k2"}))["messages"] == []


async def test_one_cart_with_one_key_for_different_names_at_once_is_one_order(guest, cart, count_orders):
    placed = await asyncio.gather(
        *(guest.call("place_order", {**cart, "idempotency_key": "k", "customer_name": name}) for name in "ABCDEF")
    )

    assert len({one["order"]["id"] for one in placed}) == 1
    assert await count_orders() == 1


async def test_an_owner_who_is_suspended_has_no_carts(guest, cart, owner, suspend, count_orders):
    await suspend(owner)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "place_order", "arguments": cart}}

    response = await guest.post(message)

    assert response.status_code == 404
    assert await count_orders() == 0


async def test_two_carts_with_one_key_at_once_are_one_order(guest, soup, count_orders):
    made = [await guest.call("create_cart", {"type": "takeaway", "items": [line(soup)]}) for _ in range(4)]

    placed = await asyncio.gather(
        *(guest.call("place_order", {"cart_id": one["cart_id"], "idempotency_key": "k"}) for one in made)
    )

    assert len({one["order"]["id"] for one in placed}) == 1
    assert await count_orders() == 1


async def test_an_update_that_wins_the_race_is_what_is_ordered(caller, soup, store, monkeypatch, count_orders):
    tea = await store.item("Tea", 2)
    made = await services.create(caller, Contents("takeaway", [line(soup)]))
    place, asked = placing.placing.place, []

    async def overtaken(*arguments):
        if not asked:
            await services.replace_contents(caller, made["cart_id"], Contents("takeaway", [line(tea, 3)]))
        asked.append(arguments)
        return await place(*arguments)

    monkeypatch.setattr(placing.placing, "place", overtaken)

    placed = await placing.place(caller, made["cart_id"], Wish({}))

    assert (len(asked), placed["order"]["total"]) == (2, 6.0)
    assert await count_orders() == 1


async def test_an_order_that_fails_leaves_the_cart_as_it_was(caller, soup, monkeypatch, count_orders):
    made = await services.create(caller, Contents("takeaway", [line(soup)]))

    with monkeypatch.context() as broken:
        broken.setattr("comanda.orders.insertion.to_order_record", fail)
        with pytest.raises(RuntimeError):
            await placing.place(caller, made["cart_id"], Wish({}))

    assert await count_orders() == 0
    assert (await Cart.get(owner_id=caller.owner_id)).order_id is None
    assert (await placing.place(caller, made["cart_id"], Wish({})))["messages"] == []


def fail(*_):
    raise RuntimeError
