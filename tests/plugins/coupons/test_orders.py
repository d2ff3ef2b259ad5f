"""What coupons do to the orders of guests."""

import re
from dataclasses import replace

import pytest
from comanda.contracts.order_bodies import LineBody, OrderBody
from comanda.devkit.testing.stores import line
from comanda.errors import ValidationFailed
from comanda.menu import snapshot
from comanda.orders.draft import draft_order


async def refusal(shop, *lines, **fields):
    """Have an order refused, see that nothing of it is left, and return the error."""
    before, uses = await shop.orders(), await shop.uses()
    with pytest.raises(ValidationFailed) as refused:
        await shop.buy(*lines, **fields)
    assert (await shop.orders(), await shop.uses()) == (before, uses)
    return refused.value


async def reason(shop, *lines, **fields):
    """Have an order refused because of its coupon alone, and return why."""
    error = await refusal(shop, *lines, **fields)
    assert list(error.errors) == ["coupon_code"]
    assert error.message == error.errors["coupon_code"][0]
    return error.extras["reason"]


async def test_a_percentage_is_taken_off_every_line_and_stands_in_the_order(shop):
    made = await shop.coupon(value=12.5)

    order = await shop.bought(line(shop.soup, 2), line(shop.cake), code="ten")

    assert (order["subtotal"], order["discount_total"], order["total"]) == (24, 3, 21)
    assert order["coupon_code"] == "TEN"
    assert [item["discount"] for item in order["items"]] == [2.5, 0.5]
    assert (await shop.get(f"/orders/{order['id']}"))["coupon_code"] == "TEN"
    assert await shop.used(made) == 1


@pytest.mark.parametrize(
    ("terms", "discount"),
    [
        ({"value": 100}, 24),
        ({"value": 0.01}, 0),  # refused below: nothing would be taken off
        ({"value": 33.33}, 8),  # 7.9992
        ({"value": 0.1}, 0.02),  # 0.024
        ({"value": 50, "max_discount": 5}, 5),
        ({"value": 10, "max_discount": 5}, 2.4),
        ({"type": "fixed", "value": 7.5}, 7.5),
        ({"type": "fixed", "value": 1000}, 24),
        ({"min_subtotal": 24}, 2.4),
    ],
)
async def test_what_coupons_are_worth(shop, terms, discount):
    await shop.coupon(**terms)
    lines = line(shop.soup, 2), line(shop.cake)

    if discount:
        order = await shop.bought(*lines)
        assert (order["discount_total"], order["total"]) == (discount, 24 - discount)
    else:
        assert await reason(shop, *lines) == "not_applicable"


async def test_half_a_cent_is_rounded_up(shop):
    sweet = await shop.item("Sweet", 0.5)
    await shop.coupon(value=1)

    assert (await shop.bought(line(sweet)))["discount_total"] == 0.01


async def test_only_items_and_categories_that_a_coupon_names_are_discounted(shop):
    pie = await shop.item("Pie", 6, category_id=shop.cake["category_id"])
    await shop.coupon("CAKE", value=50, item_ids=[shop.cake["id"]])
    await shop.coupon("SWEETS", type="fixed", value=100, category_ids=[shop.cake["category_id"]])
    await shop.coupon("BOTH", item_ids=[shop.soup["id"]], category_ids=[shop.cake["category_id"]])
    lines = line(shop.soup), line(shop.cake, 2), line(pie)

    async def discounts(code):
        return [item["discount"] for item in (await shop.bought(*lines, code=code))["items"]]

    assert await discounts("CAKE") == [0, 4, 0]
    assert await discounts("SWEETS") == [0, 8, 6]
    assert await discounts("BOTH") == [1, 0.8, 0.6]
    assert await reason(shop, line(shop.soup), code="CAKE") == "not_applicable"


async def test_tip_and_service_charge_are_not_discounted(shop):
    charge = {"service_charge_amount": 3, "service_charge_modes": ["takeaway"]}
    assert (await shop.send("PUT", "/settings", charge)).status == 200
    await shop.coupon(value=100)

    order = await shop.bought(line(shop.soup), tip_amount=2)

    assert (order["discount_total"], order["tip_amount"], order["service_charge"]) == (10, 2, 3)
    assert order["total"] == 5


async def test_a_delivery_fee_is_not_discounted(shop, runtime, monkeypatch):
    def charge(incoming):
        incoming.delivery_fee_minor = 250
        return {}

    (coupons,) = [each for each in runtime.registry.order_participants if each.name == "coupons"]
    carried = replace(coupons, name="fee", concerns=None, validate=charge, reserve=None, placed=None, load=None)
    registry = replace(runtime.registry, order_participants=(*runtime.registry.order_participants, carried))
    monkeypatch.setattr("comanda.runtime._current", replace(runtime, registry=registry))
    await shop.coupon(type="fixed", value=50)

    order = await shop.bought(line(shop.soup), type="delivery", address="Rua 1", phone="912345678", customer_name="A")

    assert (order["discount_total"], order["delivery_fee"], order["total"]) == (10, 2.5, 2.5)


async def test_an_order_without_a_code_is_as_it_was(shop):
    await shop.coupon()

    for nothing in (None, ""):
        order = await shop.bought(line(shop.soup), code=nothing)
        assert (order["discount_total"], order["coupon_code"], order["total"]) == (0, None, 10)
    assert (await shop.uses()).standing == 0


async def test_owners_orders_take_no_code(shop):
    made = await shop.coupon()

    reply = await shop.place(line(shop.soup), coupon_code="TEN")

    assert reply.errors == {"coupon_code": ["Coupons are for storefront orders."]}
    assert (await shop.used(made), await shop.orders()) == (0, 0)


async def test_customers_orders_take_none_and_agents_of_guests_do(shop):
    made = await shop.coupon()

    shop.channel = replace(shop.channel, audience="customer")
    assert "coupon_code" in (await refusal(shop, line(shop.soup))).errors
    shop.channel = replace(shop.channel, audience="mcp")
    assert (await shop.bought(line(shop.soup)))["discount_total"] == 1
    assert await shop.used(made) == 1


async def test_a_code_that_is_none_is_unknown_and_so_are_paused_deleted_and_foreign_ones(shop, open_store):
    paused = await shop.coupon("PAUSED", is_active=False)
    gone = await shop.coupon("GONE")
    await shop.send("DELETE", f"/coupons/{gone['id']}")
    other = await open_store("restaurant")
    await other.send("POST", "/coupons", {"code": "FOREIGN", "type": "percentage", "value": 10})

    for code in ("NONE", "PAUSED", "GONE", "FOREIGN", "ß", "' OR 1=1"):
        assert await reason(shop, line(shop.soup), code=code) == "unknown"
    await shop.change(paused, is_active=True)
    assert (await shop.bought(line(shop.soup), code="PAUSED"))["discount_total"] == 1


async def test_a_coupon_has_its_time(shop, clock):
    await shop.coupon(starts_at="2030-01-08T00:00:00Z", ends_at="2030-01-09T00:00:00Z")

    assert await reason(shop, line(shop.soup)) == "not_started"
    clock.advance(hours=15)
    assert (await shop.bought(line(shop.soup)))["discount_total"] == 1
    clock.advance(days=1)
    assert await reason(shop, line(shop.soup)) == "expired"


async def test_a_coupon_may_want_a_minimum_and_a_type_of_order(shop):
    await shop.coupon("LARGE", min_subtotal=10.01)
    await shop.coupon("HERE", modes=["on-table"])

    assert await reason(shop, line(shop.soup), code="LARGE") == "minimum"
    assert (await shop.bought(line(shop.soup, 2), code="LARGE"))["discount_total"] == 2
    assert await reason(shop, line(shop.soup), code="HERE") == "not_applicable"
    assert (await shop.bought(line(shop.soup), code="HERE", type="on-table", table_number=1))["discount_total"] == 1


async def test_a_coupon_is_used_up(shop):
    made = await shop.coupon(usage_limit=2)

    await shop.bought(line(shop.soup))
    await shop.bought(line(shop.soup))

    assert await reason(shop, line(shop.soup)) == "used_up"
    assert (await shop.get(f"/coupons/{made['id']}"))["status"] == "used_up"
    await shop.change(made, usage_limit=3)
    await shop.bought(line(shop.soup))
    assert await shop.used(made) == 3


async def test_a_guest_uses_it_as_often_as_they_may_however_the_number_is_written(shop):
    made = await shop.coupon(per_customer_limit=2)

    await shop.bought(line(shop.soup), phone="+351 912 345 678")
    await shop.bought(line(shop.soup), phone="912-345-678")

    assert await reason(shop, line(shop.soup), phone="00351912345678") == "used_up"
    assert (await shop.bought(line(shop.soup), phone="912 345 679"))["discount_total"] == 1
    assert await shop.used(made) == 3


async def test_a_customer_is_known_by_account_and_by_phone(shop):
    await shop.coupon(per_customer_limit=1)
    shop.customer_id = 7
    await shop.bought(line(shop.soup), phone="912345678")

    assert await reason(shop, line(shop.soup)) == "used_up"
    shop.customer_id = 8
    assert await reason(shop, line(shop.soup), phone="912345678") == "used_up"
    await shop.bought(line(shop.soup))
    shop.customer_id = None
    assert await reason(shop, line(shop.soup), phone="912345678") == "used_up"


@pytest.mark.parametrize("terms", [{"per_customer_limit": 1}, {"first_order_only": True}])
async def test_a_coupon_that_counts_guests_has_to_know_them(shop, terms):
    await shop.coupon(**terms)

    assert await reason(shop, line(shop.soup)) == "not_applicable"
    assert await reason(shop, line(shop.soup), phone="call me") == "not_applicable"
    assert (await shop.bought(line(shop.soup), phone="912345678"))["discount_total"] == 1


async def test_a_first_order_is_the_first_that_stands_wherever_it_came_from(shop):
    await shop.coupon(first_order_only=True)
    earlier = await shop.order(line(shop.soup), phone="+351 912 345 678")

    assert await reason(shop, line(shop.soup), phone="912345678") == "not_applicable"
    await shop.set_status(earlier["id"], "cancelled")
    await shop.bought(line(shop.soup), phone="912345678")
    assert await reason(shop, line(shop.soup), phone="912345678") == "not_applicable"
    shop.customer_id = 7
    await shop.bought(line(shop.soup))
    assert await reason(shop, line(shop.soup), phone="999888777") == "not_applicable"


async def test_lines_that_are_wrong_are_told_before_a_code_that_is(shop):
    error = await refusal(shop, {"item_id": 987654321}, line(shop.soup), code="NONE")

    assert (list(error.errors), error.extras) == (["items.0.item_id"], {})
    assert await reason(shop, line(shop.soup), code="NONE") == "unknown"


async def test_an_order_can_be_priced_before_it_is_known_who_orders(shop):
    await shop.coupon(first_order_only=True, per_customer_limit=1)
    menu = await snapshot.get_snapshot(shop.id, -1)
    body = OrderBody(type="takeaway", items=[LineBody(item_id=shop.soup["id"])], coupon_code="ten")

    priced = draft_order(body, menu, shop.channel, shop.guest)

    assert (priced.quote.discount_total_minor, priced.incoming.coupon_code) == (100, "TEN")


async def test_a_repeated_order_counts_once_and_even_when_the_coupon_is_used_up(shop, clock):
    made = await shop.coupon(usage_limit=1, ends_at="2030-01-08T00:00:00Z")
    first = await shop.buy(line(shop.soup), key="a")

    clock.advance(days=2)
    again = await shop.buy(line(shop.soup), key="a")

    assert (again.is_replay, again.is_mismatch) == (True, False)
    assert again.record == first.record
    assert (await shop.used(made), await shop.orders()) == (1, 1)


async def test_an_order_that_fails_after_the_coupon_was_taken_leaves_no_use(boutique):
    made = await boutique.coupon()
    last = await boutique.item("Last", 3, stock=1)

    error = await refusal(boutique, line(last, 2), type="in_store")

    assert list(error.errors) == ["items.0.item_id"]
    assert await boutique.used(made) == 0


async def test_cancelling_returns_the_use_and_reopening_takes_it_again(shop):
    made = await shop.coupon(usage_limit=1, per_customer_limit=1)
    order = await shop.bought(line(shop.soup), phone="912345678")

    assert (await shop.set_status(order["id"], "cancelled")).status == 200
    assert (await shop.used(made), vars(await shop.uses())) == (0, {"standing": 0, "returned": 1})
    assert (await shop.set_status(order["id"], "cancelled")).status == 200
    assert await shop.used(made) == 0
    assert (await shop.set_status(order["id"], "preparing")).status == 200
    assert (await shop.used(made), vars(await shop.uses())) == (1, {"standing": 1, "returned": 0})
    assert await reason(shop, line(shop.soup), phone="999888777") == "used_up"


@pytest.mark.parametrize("terms", [{"usage_limit": 1}, {"per_customer_limit": 1}, {"first_order_only": True}])
async def test_an_order_whose_use_was_taken_since_cannot_be_reopened(shop, terms):
    made = await shop.coupon(**terms)
    order = await shop.bought(line(shop.soup), phone="912345678")
    await shop.set_status(order["id"], "cancelled")
    await shop.bought(line(shop.soup), phone="912345678")

    reply = await shop.set_status(order["id"], "preparing")

    assert (list(reply.errors), reply["reason"]) == (["status"], "used_up")
    assert re.search("TEN.*used up", reply.errors["status"][0])
    assert (await shop.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert (await shop.used(made), vars(await shop.uses())) == (1, {"standing": 1, "returned": 1})


async def test_an_order_keeps_a_coupon_that_has_ended_or_is_deleted(shop, clock):
    made = await shop.coupon(ends_at="2030-01-08T00:00:00Z")
    order = await shop.bought(line(shop.soup))
    await shop.set_status(order["id"], "cancelled")
    clock.advance(days=2)
    await shop.send("DELETE", f"/coupons/{made['id']}")

    assert (await shop.set_status(order["id"], "new")).status == 200

    kept = (await shop.get(f"/orders/{order['id']}")).document
    assert (kept["coupon_code"], kept["discount_total"]) == ("TEN", 1)
    assert (await shop.uses()).standing == 1


async def test_a_change_holds_for_the_next_order_of_every_process(shop):
    made = await shop.coupon()
    await shop.bought(line(shop.soup))
    stale = snapshot._snapshots[shop.id]

    await shop.change(made, value=50)
    # Another process has not heard of the change: it still has what it kept.
    snapshot._snapshots[shop.id] = stale
    assert (await shop.bought(line(shop.soup)))["discount_total"] == 5

    stale = snapshot._snapshots[shop.id]
    await shop.send("DELETE", f"/coupons/{made['id']}")
    snapshot._snapshots[shop.id] = stale
    assert await reason(shop, line(shop.soup)) == "unknown"

    await shop.coupon("NEW")
    snapshot._snapshots[shop.id] = stale
    assert (await shop.bought(line(shop.soup), code="NEW"))["discount_total"] == 1


async def test_an_order_that_was_priced_before_a_coupon_went_does_not_get_it(shop, monkeypatch):
    made = await shop.coupon()
    await shop.bought(line(shop.soup))
    priced_from = snapshot._snapshots[shop.id]
    await shop.send("DELETE", f"/coupons/{made['id']}")

    async def get(*_):
        return priced_from

    monkeypatch.setattr("comanda.orders.placement.snapshot.get_snapshot", get)

    assert await reason(shop, line(shop.soup)) == "unknown"
