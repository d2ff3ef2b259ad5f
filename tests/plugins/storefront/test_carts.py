"""Carts of a guest's agent: what they cost, what stands in their way, how long they last, whose they are."""

import asyncio

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_storefront import tasks
from comanda_storefront.models import Cart


@pytest.fixture
def fill(guest):
    """Create a cart for takeaway, unless a type is given."""

    async def create(*lines, **fields):
        return await guest.call("create_cart", {"type": "takeaway", "items": list(lines), **fields})

    return create


def told(result):
    return [(message["type"], message["code"], message["path"]) for message in result["messages"]]


async def test_a_cart_is_priced_like_the_order_it_would_become(guest, store, fill):
    pizza = await store.item(
        "Pizza", 9, variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "allows_repeats": True, "extras": [{"name": "Olives", "price": 1}]}],
    )  # fmt: skip
    soup = await store.item("Soup", 5)
    await store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["takeaway"]})
    olives, large = pizza["extra_groups"][0]["extras"][0]["id"], pizza["variations"][0]["id"]

    cart = await fill(line(pizza, 2, variation=large, extras=[olives, olives], note="Well done"), line(soup))

    assert [(one["name"], one["unit_price"], one["line_total"]) for one in cart["items"]] == [
        ("Pizza", 14.0, 28.0), ("Soup", 5.0, 5.0),
    ]  # fmt: skip
    assert cart["items"][0]["variation"] == {"id": large, "name": "Large", "price": 12.0}
    assert cart["items"][0]["extras"] == [{"id": olives, "name": "Olives", "price": 1.0, "quantity": 2}]
    assert (cart["subtotal"], cart["service_charge"], cart["total"]) == (33.0, 3.3, 36.3)
    assert (cart["currency"], cart["messages"], cart["is_orderable"], cart["order"]) == ("EUR", [], True, None)
    assert cart["continue_url"] == (await store.get())["url"]
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    placed = await guest.call("place_order", {"cart_id": cart["cart_id"], "expected_total": 36.3})
    assert placed["order"]["total"] == 36.3


async def test_a_cart_at_a_table_leads_to_the_tables_page(fill, store, soup):
    cart = await fill(line(soup), type="on-table", table_number=4)

    assert (cart["table_number"], cart["is_orderable"]) == ("4", True)
    assert cart["continue_url"] == f"{(await store.get())['url']}?table=4"


async def test_prices_of_a_cart_follow_the_menu(guest, store, fill, soup):
    cart = await fill(line(soup, 2))
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    assert (await guest.call("get_cart", {"cart_id": cart["cart_id"]}))["total"] == 12.0


async def test_sold_out_lines_are_kept_told_and_cost_nothing(guest, store, fill, soup):
    fish = await store.item("Fish", 14, is_sold_out=True)

    cart = await fill(line(fish), line(soup), line(fish, 2))

    assert told(cart) == [("error", "sold_out", "items.0.item_id"), ("error", "sold_out", "items.2.item_id")]
    assert [(one["name"], one["line_total"]) for one in cart["items"]] == [
        ("Fish", None),
        ("Soup", 5.0),
        ("Fish", None),
    ]
    assert (cart["total"], cart["is_orderable"]) == (5.0, False)
    await store.send("PATCH", f"/menu/items/{fish['id']}/sold-out", {})
    again = await guest.call("get_cart", {"cart_id": cart["cart_id"]})
    assert (again["total"], again["messages"], again["is_orderable"]) == (47.0, [], True)


async def test_several_things_in_the_way_are_all_told_at_once(fill, store, soup, closed):
    fish = await store.item("Fish", 14, is_sold_out=True)
    ordered = await fill(line(fish), line(soup), type="on-table")

    assert told(ordered) == [
        ("error", "store_closed", "type"),
        ("error", "sold_out", "items.0.item_id"),
        ("error", "missing_field", "table_number"),
    ]
    assert ordered["messages"][0]["text"].endswith("It opens at 2026-06-01T18:00:00+00:00.")
    assert (ordered["total"], ordered["is_orderable"]) == (5.0, False)


async def test_a_cart_of_which_nothing_can_be_ordered_costs_nothing(fill, store):
    cart = await fill(line(await store.item("Fish", 14, is_sold_out=True)))

    assert (cart["subtotal"], cart["total"], cart["is_orderable"]) == (0, 0, False)


async def test_what_an_owner_takes_off_the_menu_is_told_and_not_named(guest, store, fill, soup):
    cart = await fill(line(soup))
    await store.send("PUT", f"/menu/items/{soup['id']}", {"is_active": False, "name": "Secret"})

    found = await guest.call("get_cart", {"cart_id": cart["cart_id"]})

    assert told(found) == [("error", "not_on_menu", "items.0.item_id")]
    assert (found["items"][0]["name"], found["items"][0]["unit_price"]) == (None, None)


@pytest.fixture
async def mistakes(store, other_store, soup):
    group = {"name": "Bread", "is_required": True, "min": 1, "extras": [{"name": "Rye", "price": 0}]}
    choosy = await store.item("Choosy", 5, extra_groups=[group])
    foreign = await other_store.item("Foreign")
    return {
        "items.0.item_id": {"items": [line(foreign)]},
        "items.0.variation": {"items": [line(soup, variation=987_654_321)]},
        "items.0.extras": {"items": [line(choosy)]},
        "items.1.extras": {"items": [line(soup), line(soup, extras=[987_654_321])]},
        "type": {"items": [line(soup)], "type": "delivery"},
        "items": {"items": [line(soup)] * 41},
        "items.0.quantity": {"items": [line(soup, 31)]},
        "items.0.price": {"items": [line(soup, price=1)]},
        "items.0.note": {"items": [line(soup, note="x" * 2001)]},
        "scheduled_for": {"items": [line(soup)], "scheduled_for": "tomorrow"},
        "details": {"items": [line(soup)], "details": {str(number): 1 for number in range(21)}},
    }


def long_details(soup):
    return {"type": "takeaway", "items": [line(soup)], "details": {"x": "y" * 4000}}


@pytest.mark.parametrize("tool", ["create_cart", "update_cart"])
async def test_what_the_store_never_had_is_refused_by_the_argument(guest, fill, soup, mistakes, owner, tool):
    cart = await fill(line(soup))
    more = {"cart_id": cart["cart_id"]} if tool == "update_cart" else {}

    assert list((await guest.refused(tool, {**long_details(soup), **more}))["errors"]) == ["details"]
    for path, wrong in mistakes.items():
        refused = await guest.refused(tool, {"type": "takeaway", **wrong, **more})
        assert (path, refused["code"], list(refused["errors"])) == (path, "validation_failed", [path])

    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    assert await Cart.filter(owner_id=owner.id).count() == 1


async def test_an_update_replaces_everything_but_the_coupon_and_a_table_left_out(guest, store, fill, soup):
    tea = await store.item("Tea", 2)
    cart = await fill(line(soup, note="Hot"), type="on-table", table_number="4", note="Quick")

    changed = await guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "on-table", "items": [line(tea, 3)]})

    assert [(one["name"], one["quantity"], one["note"]) for one in changed["items"]] == [("Tea", 3, None)]
    assert (changed["note"], changed["table_number"], changed["total"]) == (None, "4", 6.0)
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == changed


async def test_a_cart_lasts_for_six_hours_after_its_last_use(guest, fill, soup, clock):
    cart = await fill(line(soup))
    clock.advance(hours=5, minutes=59)
    assert (await guest.call("get_cart", {"cart_id": cart["cart_id"]}))["expires_at"] > cart["expires_at"]
    clock.advance(hours=5, minutes=59)
    await guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "takeaway", "items": [line(soup)]})
    clock.advance(hours=6)

    for tool, arguments in (
        ("get_cart", {}), ("place_order", {}), ("apply_coupon", {"code": None}),
        ("update_cart", {"type": "takeaway", "items": [line(soup)]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, {"cart_id": cart["cart_id"], **arguments}))["code"] == "not_found"


async def test_expired_carts_are_forgotten_and_their_orders_stay(guest, fill, soup, owner, clock, count_orders):
    placed, left = await fill(line(soup)), await fill(line(soup))
    await guest.call("place_order", {"cart_id": placed["cart_id"]})
    clock.advance(hours=1)
    kept = await fill(line(soup))
    clock.advance(hours=5)

    await tasks.prune()

    assert await Cart.filter(owner_id=owner.id).count() == 1
    assert await count_orders() == 1
    assert (await guest.refused("get_cart", {"cart_id": left["cart_id"]}))["code"] == "not_found"
    await guest.call("get_cart", {"cart_id": kept["cart_id"]})


async def test_a_cart_is_of_its_store_alone(guest_of, owner, other_owner, other_store, fill, soup):
    cart = await fill(line(soup))
    strangers = [await guest_of(owner, await owner.store()), await guest_of(other_owner, other_store.id)]

    for stranger in strangers:
        for tool, arguments in (("get_cart", {}), ("place_order", {}), ("apply_coupon", {"code": None})):
            refused = await stranger.refused(tool, {"cart_id": cart["cart_id"], **arguments})
            assert refused["code"] == "not_found"
    found = await Cart.get(owner_id=owner.id)
    assert (found.order_id, found.version) == (None, 1)


async def test_the_handle_of_a_cart_is_not_in_the_database(fill, soup, owner):
    cart = await fill(line(soup))

    row = await sql.fetch_value("SELECT to_jsonb(c)::text FROM storefront_cart c WHERE owner_id = $1", owner.id)

    assert len(cart["cart_id"]) == 43
    assert cart["cart_id"] not in row


async def test_a_coupon_of_a_store_that_has_none_is_refused_and_changes_nothing(guest, fill, soup):
    cart = await fill(line(soup))

    refused = await guest.refused("apply_coupon", {"cart_id": cart["cart_id"], "code": "NOPE"})

    assert refused["code"].startswith("coupon_")
    assert [message["path"] for message in refused["messages"]] == ["coupon_code"]
    assert (refused["total"], refused["coupon_code"]) == (5.0, None)
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    assert (await guest.call("apply_coupon", {"cart_id": cart["cart_id"], "code": None}))["coupon_code"] is None


async def test_fields_of_plugins_reach_the_order_and_cannot_stand_for_cores(open_store, guest_of, owner):
    pharmacy = await open_store("pharmacy")
    guest, syrup = await guest_of(owner, pharmacy.id), await pharmacy.item("Syrup", 8, age_min=18)
    kind = (await guest.call("get_store"))["modes"][0]["code"]

    arguments = {"type": kind, "items": [line(syrup)]}
    cart = await guest.call("create_cart", arguments)
    assert cart["is_orderable"] is False
    assert cart["total"] == 8.0

    arguments |= {"cart_id": cart["cart_id"], "details": {"age_confirmed": True, "tip_amount": 100, "items": []}}
    assert await guest.call("update_cart", arguments) | {"expires_at": ""} == {
        **cart, "messages": [], "is_orderable": True, "expires_at": "",
    }  # fmt: skip
    assert (await guest.call("place_order", {"cart_id": cart["cart_id"]}))["order"]["total"] == 8.0


async def test_two_updates_at_once_leave_one_of_them_whole(guest, fill, store, soup):
    tea = await store.item("Tea", 2)
    cart = await fill(line(soup))
    wishes = [{"items": [line(one)], "note": one["name"]} for one in (soup, tea)]

    await asyncio.gather(
        *(guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "takeaway", **wish}) for wish in wishes)
    )

    found = await guest.call("get_cart", {"cart_id": cart["cart_id"]})
    assert found["note"] == found["items"][0]["name"]


async def test_a_store_that_is_not_published_has_no_carts(guest, store, fill, soup):
    cart = await fill(line(soup))
    await store.send("PUT", "/settings", {"is_published": False})

    for tool, arguments in (
        ("create_cart", {"type": "takeaway", "items": [line(soup)]}), ("get_cart", {"cart_id": cart["cart_id"]}),
        ("place_order", {"cart_id": cart["cart_id"]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, arguments))["code"] == "not_found"
