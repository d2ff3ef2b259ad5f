"""Coupons in the orders of guests."""

from dataclasses import replace

import pytest
from comanda.accounts import services as accounts
from comanda.contracts import DELIVERY_FEE, Charge, Contribution, LineBody, OrderBody, OrderParticipant
from comanda.devkit.testing import line
from comanda.menu import snapshot
from comanda.orders import draft_order
from comanda.platform import runtime as runtime_module


async def test_percentage_applies_to_every_line(shop):
    coupon = await shop.coupon(value=12.5)

    order = await shop.place_order(line(shop.soup, 2), line(shop.cake), code="ten")

    assert (order["subtotal"], order["discount_total"], order["total"]) == (24, 3, 21)
    assert order["coupon_code"] == "TEN"
    assert [item["discount"] for item in order["items"]] == [2.5, 0.5]
    assert (await shop.get(f"/orders/{order['id']}"))["coupon_code"] == "TEN"
    assert await shop.used(coupon) == 1


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
async def test_discount_follows_terms(shop, terms, discount, get_refusal_reason):
    await shop.coupon(**terms)
    lines = line(shop.soup, 2), line(shop.cake)

    if discount:
        order = await shop.place_order(*lines)
        assert (order["discount_total"], order["total"]) == (discount, 24 - discount)
    else:
        assert await get_refusal_reason(shop, *lines) == "not_applicable"


async def test_half_cent_is_rounded_up(shop):
    sweet = await shop.item("Sweet", 0.5)
    await shop.coupon(value=1)

    assert (await shop.place_order(line(sweet)))["discount_total"] == 0.01


async def test_filters_limit_discounted_lines(shop, get_refusal_reason):
    pie = await shop.item("Pie", 6, category_id=shop.cake["category_id"])
    await shop.coupon("CAKE", value=50, item_ids=[shop.cake["id"]])
    await shop.coupon("SWEETS", type="fixed", value=100, category_ids=[shop.cake["category_id"]])
    await shop.coupon("BOTH", item_ids=[shop.soup["id"]], category_ids=[shop.cake["category_id"]])
    lines = line(shop.soup), line(shop.cake, 2), line(pie)

    async def discounts(code):
        return [item["discount"] for item in (await shop.place_order(*lines, code=code))["items"]]

    assert await discounts("CAKE") == [0, 4, 0]
    assert await discounts("SWEETS") == [0, 8, 6]
    assert await discounts("BOTH") == [1, 0.8, 0.6]
    assert await get_refusal_reason(shop, line(shop.soup), code="CAKE") == "not_applicable"


async def test_tip_and_service_charge_are_not_discounted(shop):
    charge = {"service_charge_amount": 3, "service_charge_modes": ["takeaway"]}
    assert (await shop.send("PUT", "/settings", charge)).status == 200
    await shop.coupon(value=100)

    order = await shop.place_order(line(shop.soup), tip_amount=2)

    assert (order["discount_total"], order["tip_amount"], order["service_charge"]) == (10, 2, 3)
    assert order["total"] == 5


async def test_delivery_fee_is_not_discounted(shop, runtime, monkeypatch):
    fee = Contribution(charges=[Charge(DELIVERY_FEE, "Delivery", 250)])
    (coupons,) = [each for each in runtime.registry.order_participants if each.name == "coupons"]
    carried = OrderParticipant("fee", validate=lambda request, loaded: fee)
    registry = replace(runtime.registry, order_participants=(coupons, carried))
    monkeypatch.setattr("comanda.platform.runtime._process.runtime", replace(runtime, registry=registry))
    await shop.coupon(type="fixed", value=50)

    order = await shop.place_order(
        line(shop.soup), type="delivery", address="Rua 1", phone="912345678", customer_name="A"
    )

    assert (order["discount_total"], order["delivery_fee"], order["total"]) == (10, 2.5, 2.5)


async def test_order_without_code_is_unchanged(shop):
    await shop.coupon()

    for nothing in (None, ""):
        order = await shop.place_order(line(shop.soup), code=nothing)
        assert (order["discount_total"], order["coupon_code"], order["total"]) == (0, None, 10)
    assert (await shop.uses()).standing == 0


async def test_orders_of_owner_refuse_codes(shop):
    coupon = await shop.coupon()

    reply = await shop.place(line(shop.soup), coupon_code="TEN")

    assert reply.errors == {"coupon_code": ["Coupons are for storefront orders."]}
    assert (await shop.used(coupon), await shop.orders()) == (0, 0)


async def test_agents_of_guests_may_use_codes(shop, get_refusal):
    coupon = await shop.coupon()

    shop.channel = replace(shop.channel, audience="customer")
    assert "coupon_code" in (await get_refusal(shop, line(shop.soup))).errors
    shop.channel = replace(shop.channel, audience="mcp")
    assert (await shop.place_order(line(shop.soup)))["discount_total"] == 1
    assert await shop.used(coupon) == 1


async def test_paused_deleted_and_foreign_codes_are_unknown(shop, open_store, get_refusal_reason):
    paused = await shop.coupon("PAUSED", is_active=False)
    gone = await shop.coupon("GONE")
    await shop.send("DELETE", f"/coupons/{gone['id']}")
    other = await open_store("restaurant")
    await other.send("POST", "/coupons", {"code": "FOREIGN", "type": "percentage", "value": 10})

    for code in ("NONE", "PAUSED", "GONE", "FOREIGN", "ß", "' OR 1=1"):
        assert await get_refusal_reason(shop, line(shop.soup), code=code) == "unknown"
    await shop.change(paused, is_active=True)
    assert (await shop.place_order(line(shop.soup), code="PAUSED"))["discount_total"] == 1


async def test_coupon_is_valid_between_start_and_end(shop, clock, get_refusal_reason):
    await shop.coupon(starts_at="2030-01-08T00:00:00Z", ends_at="2030-01-09T00:00:00Z")

    assert await get_refusal_reason(shop, line(shop.soup)) == "not_started"
    clock.advance(hours=15)
    assert (await shop.place_order(line(shop.soup)))["discount_total"] == 1
    clock.advance(days=1)
    assert await get_refusal_reason(shop, line(shop.soup)) == "expired"


async def test_coupon_may_require_minimum_and_mode(shop, get_refusal_reason):
    await shop.coupon("LARGE", min_subtotal=10.01)
    await shop.coupon("HERE", modes=["on-table"])

    assert await get_refusal_reason(shop, line(shop.soup), code="LARGE") == "minimum"
    assert (await shop.place_order(line(shop.soup, 2), code="LARGE"))["discount_total"] == 2
    assert await get_refusal_reason(shop, line(shop.soup), code="HERE") == "not_applicable"
    assert (await shop.place_order(line(shop.soup), code="HERE", type="on-table", table_number=1))[
        "discount_total"
    ] == 1


async def test_invalid_lines_are_reported_before_invalid_code(shop, get_refusal_reason, get_refusal):
    error = await get_refusal(shop, {"item_id": 987654321}, line(shop.soup), code="NONE")

    assert (list(error.errors), error.extras) == (["items.0.item_id"], {})
    assert await get_refusal_reason(shop, line(shop.soup), code="NONE") == "unknown"


async def test_order_is_priced_before_guest_is_known(shop):
    await shop.coupon(first_order_only=True, per_customer_limit=1)
    menu = await snapshot.get_snapshot(shop.id, -1)
    body = OrderBody(type="takeaway", items=[LineBody(item_id=shop.soup["id"])], coupon_code="ten")

    priced = draft_order(body, menu, shop.channel, shop.guest)

    assert (priced.quote.discount_total_minor, priced.contributions.coupon_code) == (100, "TEN")


async def test_repeated_order_redeems_once(shop, clock):
    coupon = await shop.coupon(usage_limit=1, ends_at="2030-01-08T00:00:00Z")
    first = await shop.place_unchecked(line(shop.soup), key="a")

    clock.advance(days=2)
    again = await shop.place_unchecked(line(shop.soup), key="a")

    assert (again.is_replay, again.is_mismatch) == (True, False)
    assert again.record == first.record
    assert (await shop.used(coupon), await shop.orders()) == (1, 1)


async def test_failed_order_leaves_no_redemption(boutique, get_refusal):
    coupon = await boutique.coupon()
    last = await boutique.item("Last", 3, stock=1)

    error = await get_refusal(boutique, line(last, 2), type="in_store")

    assert list(error.errors) == ["items.0.item_id"]
    assert await boutique.used(coupon) == 0


async def test_update_applies_to_next_order_of_every_process(shop, get_refusal_reason):
    coupon = await shop.coupon()
    await shop.place_order(line(shop.soup))
    stale = snapshot._snapshots[shop.id]

    await shop.change(coupon, value=50)
    # Another process has not heard of the change: it still has what it kept.
    snapshot._snapshots[shop.id] = stale
    assert (await shop.place_order(line(shop.soup)))["discount_total"] == 5

    stale = snapshot._snapshots[shop.id]
    await shop.send("DELETE", f"/coupons/{coupon['id']}")
    snapshot._snapshots[shop.id] = stale
    assert await get_refusal_reason(shop, line(shop.soup)) == "unknown"

    await shop.coupon("NEW")
    snapshot._snapshots[shop.id] = stale
    assert (await shop.place_order(line(shop.soup), code="NEW"))["discount_total"] == 1


async def test_coupon_deleted_after_pricing_is_refused(shop, monkeypatch, get_refusal_reason):
    coupon = await shop.coupon()
    await shop.place_order(line(shop.soup))
    priced_from = snapshot._snapshots[shop.id]
    await shop.send("DELETE", f"/coupons/{coupon['id']}")

    async def get(*_):
        return priced_from

    monkeypatch.setattr("comanda.orders.intake.placement.snapshot.get_snapshot", get)

    assert await get_refusal_reason(shop, line(shop.soup)) == "unknown"


@pytest.fixture
async def send(shop, client):
    kind = runtime_module.registry().caller_kinds["storefront"]
    token = (await accounts.issue_token(kind, shop.owner.id, ["order:write"], name="test", store_id=shop.id)).secret

    async def post(*lines, **fields):
        body = {"type": "takeaway", "items": list(lines), **fields}
        headers = {"X-Storefront-Token": token}
        response = await client.post("/api/v1/storefront/orders", headers=headers, json=body)
        return response.status_code, await response.get_json()

    return post


async def test_guest_pays_less_with_coupon(shop, send):
    coupon = await shop.coupon(value=25)

    status, placed = await send(line(shop.soup, 2), coupon_code=" ten ")

    assert status == 201, placed
    order = await shop.get(f"/orders/{placed['id']}")
    assert (order["discount_total"], order["total"], order["coupon_code"]) == (5, 15, "TEN")
    assert await shop.used(coupon) == 1


async def test_guest_learns_why_coupon_does_not_apply(shop, send):
    coupon = await shop.coupon(min_subtotal=50)

    status, answer = await send(line(shop.soup), coupon_code="TEN")

    message = "The coupon TEN is only valid for orders of 50.00 EUR or more."
    assert (status, answer["reason"], answer["errors"]) == (422, "minimum", {"coupon_code": [message]})
    assert (await shop.used(coupon), await shop.orders()) == (0, 0)
