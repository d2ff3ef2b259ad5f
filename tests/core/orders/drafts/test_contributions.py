"""Prices, charges and discounts of plugins in new orders."""

import dataclasses

import pytest
import structlog
from comanda.contracts.orders.charges import DELIVERY_FEE, SERVICE_CHARGE, Charge, Discount, LinePrice
from comanda.contracts.orders.participants import Contribution, OrderParticipant, Problem, Reservation
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

DEPOSIT = Charge("deposit", "Deposit", 10_000, is_refundable=False)
CLEANING = Charge("cleaning", "Cleaning", 500, tax_rate_ppm=190_000)


def adding(name, **contributed):
    return OrderParticipant(name, validate=lambda request, loaded: Contribution(**contributed))


def by_the_day(days):
    return lambda request, loaded: {
        each.position: LinePrice(each.unit_price_minor * days, f"{days} days") for each in request.lines
    }


async def count_orders(store):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", store.id)


async def test_participant_prices_lines_by_the_day(market):
    store, joined = market
    joined(OrderParticipant("rental", price=by_the_day(3)))
    drill = await store.item("Drill", 12)

    order = await store.order(line(drill, 2), type="counter")

    assert [(each["unit_price"], each["price_label"], each["line_total"]) for each in order["items"]] == [
        (36, "3 days", 72)
    ]
    assert (order["subtotal"], order["total"]) == (72, 72)
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_later_steps_see_prices_of_participants(market):
    store, joined = market
    seen = []

    def validate(request, loaded):
        seen.append((request.subtotal_minor, [each.price_label for each in request.lines]))

    joined(OrderParticipant("a", validate=validate), OrderParticipant("rental", price=by_the_day(2)))

    await store.order(line(await store.item("Drill", 12)), type="counter", tip_amount=0)

    assert seen == [(2400, ["2 days"])]


async def test_charges_are_shown_and_add_up(market, client):
    store, joined = market
    joined(adding("rental", charges=[DEPOSIT]), adding("cleaner", charges=[CLEANING]))
    drill = await store.item("Drill", 12)

    order = await store.order(line(drill), type="counter")

    assert order["charges"] == [
        {"code": "deposit", "label": "Deposit", "amount": 100, "tax": 0, "is_refundable": False},
        {
            "code": "cleaning",
            "label": "Cleaning",
            "amount": 5,
            "tax": order["charges"][1]["tax"],
            "is_refundable": True,
        },
    ]
    assert order["total"] == 117 + (0 if order["tax_included"] else order["tax_total"])
    assert (await store.get(f"/orders/{order['id']}")).document == order
    assert (await store.get("/orders"))["data"][0]["charges"] == order["charges"]
    tracked = await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()
    assert tracked["charges"] == order["charges"]


async def test_service_charge_and_delivery_fee_have_their_columns(market):
    store, joined = market
    fees = [Charge(SERVICE_CHARGE, "Service", 100), Charge(DELIVERY_FEE, "By boat", 250)]
    joined(adding("boats", charges=fees))

    order = await store.order(line(await store.item("Soup", 5)), type="counter")

    assert (order["service_charge"], order["delivery_fee"], order["charges"], order["total"]) == (1, 2.5, [], 8.5)


async def test_discounts_of_two_plugins_are_both_taken_off(market):
    store, joined = market
    joined(
        adding("points", discounts=[Discount("points", "Points", 200)]),
        adding("opening", discounts=[Discount("opening", "Opening", 300, frozenset({1}))]),
    )
    soup, tea = await store.item("Soup", 5), await store.item("Tea", 2)

    order = await store.order(line(soup), line(tea), type="counter")

    # 2.00 over 5.00 and 2.00 leaves 1.43 of the second line, and the second discount takes all of that.
    assert [each["discount"] for each in order["items"]] == [1.43, 2]
    assert (order["discount_total"], order["total"]) == (3.43, 3.57)


CONFLICTS = [
    ({"price": by_the_day(2)}, {"price": by_the_day(3)}, "the price of line 1"),
    ({"charges": [DEPOSIT]}, {"charges": [DEPOSIT]}, "the charge deposit"),
    ({"discounts": [Discount("x", "X", 1)]}, {"discounts": [Discount("x", "X", 2)]}, "the discount x"),
    ({"attributes": {"bay": 1}}, {"attributes": {"bay": 2}}, "the attribute bay"),
    ({"coupon_code": "A"}, {"coupon_code": "B"}, "the coupon code"),
]


@pytest.mark.parametrize(("one", "other", "what"), CONFLICTS)
async def test_conflict_names_both_plugins(market, one, other, what):
    store, joined = market
    parts = [
        OrderParticipant(name, price=given["price"]) if "price" in given else adding(name, **given)
        for name, given in (("rental", one), ("tolls", other))
    ]
    joined(*parts)
    drill = await store.item("Drill", 12)

    refused = await store.place(line(drill), type="counter")

    assert (refused.status, refused["code"], refused["reason"]) == (409, "conflict", "plugin_conflict")
    assert refused["message"] == f"The plugins rental and tolls both set {what}, so this order cannot be placed."
    assert await count_orders(store) == 0


async def test_conflict_with_the_service_charge_of_the_store(market):
    store, joined = market
    joined(adding("tolls", charges=[Charge(SERVICE_CHARGE, "Service", 100)]))
    await store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["counter"]})

    refused = await store.place(line(await store.item("Soup", 5)), type="counter")

    assert (refused.status, await count_orders(store)) == (409, 0)
    assert "The plugins core and tolls both set the charge service_charge" in refused["message"]


async def test_reservations_conflict_about_the_time(market):
    store, joined = market

    def reserving(hour):
        async def reserve(request, loaded):
            return Reservation(scheduled_for=request.scheduled_for.replace(hour=hour))

        return reserve

    joined(OrderParticipant("bays", reserve=reserving(9)), OrderParticipant("tours", reserve=reserving(10)))

    refused = await store.place(line(await store.item("Soup", 5)), type="counter", scheduled_for="2030-01-01T08:00:00Z")

    assert (refused.status, await count_orders(store)) == (409, 0)
    assert "The plugins bays and tours both set the time of the order" in refused["message"]


def raise_wrong(request, loaded):
    raise KeyError("tariff")


WRONG_STEPS = [
    {"validate": lambda request, loaded: Contribution(charges=[Charge("deposit", "Deposit", 12.5)])},
    {"validate": lambda request, loaded: Contribution(charges=[Charge("deposit", "Deposit", -1)])},
    {"validate": lambda request, loaded: {"type": ["Closed."]}},
    {"validate": lambda request, loaded: Contribution(discounts=[Discount("a", "A", 1, frozenset({7}))])},
    {"validate": raise_wrong},
    {"concerns": raise_wrong},
    {"price": lambda request, loaded: {0: 1200}},
    {"price": lambda request, loaded: {5: LinePrice(1200)}},
    {"price": lambda request, loaded: {0: LinePrice(True)}},
    {"price": lambda request, loaded: [LinePrice(1)]},
]


@pytest.mark.parametrize("steps", WRONG_STEPS)
async def test_wrong_contribution_is_refused_with_the_plugin(market, steps):
    store, joined = market
    joined(OrderParticipant("rental", **steps))
    drill = await store.item("Drill", 12)

    with structlog.testing.capture_logs() as logs:
        refused = await store.place(line(drill), type="counter")

    assert (refused.status, refused["code"]) == (503, "unavailable")
    assert refused["message"] == "The plugin rental could not take part in this order, so it was not placed."
    assert {entry["plugin"] for entry in logs if "plugin" in entry} == {"rental"}
    assert await count_orders(store) == 0


async def test_wrong_reservation_leaves_nothing(market):
    store, joined = market

    async def reserve(request, loaded):
        return {"slot": 1}

    async def placed(request, loaded, order):
        Charge("late_fee", "Late", 1.5)

    for steps in ({"reserve": reserve}, {"placed": placed}):
        joined(OrderParticipant("bays", **steps))
        refused = await store.place(line(await store.item("Soup", 5)), type="counter")

        assert (refused.status, await count_orders(store)) == (503, 0)
        assert "bays" in refused["message"]


async def test_placed_gets_line_ids_and_what_was_reserved(market):
    store, joined = market
    seen = []

    async def reserve(request, loaded):
        return Reservation(state=("bay", request.lines[0].quantity))

    async def placed(request, loaded, order):
        seen.append((order.id, order.line_ids, order.total_minor, order.reserved))
        with pytest.raises(dataclasses.FrozenInstanceError):
            order.total_minor = 0

    joined(OrderParticipant("bays", reserve=reserve, placed=placed))
    soup, tea = await store.item("Soup", 5), await store.item("Tea", 2)

    order = await store.order(line(soup, 2), line(tea), type="counter")

    assert seen == [(order["id"], tuple(each["id"] for each in order["items"]), 1200, ("bay", 2))]


async def test_validate_runs_once_per_placement(market):
    store, joined = market
    asked = []

    async def reserve(request, loaded):
        return None

    def validate(request, loaded):
        asked.append(request.lines)
        return Contribution(problems=[Problem("type", "No.")] if request.body.note else [])

    joined(OrderParticipant("once", validate=validate, reserve=reserve))
    soup = await store.item("Soup", 5)
    await store.order(line(soup), type="counter")
    asked.clear()

    await store.order(line(soup), type="counter")
    await store.place(line(soup), type="counter", note="refuse")

    assert len(asked) == 2


async def test_problems_have_the_true_position_of_lines(market):
    store, joined = market
    positions = []
    joined(OrderParticipant("a", validate=lambda request, loaded: positions.extend(e.position for e in request.lines)))
    soup = await store.item("Soup", 5)

    refused = await store.place(line({"id": 404}), line(soup), line({"id": 405}), type="counter")

    assert set(refused.errors) == {"items.0.item_id", "items.2.item_id"}
    assert positions == [1]
