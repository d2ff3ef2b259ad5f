"""Cash on delivery: the amount to collect, what is booked, and what is to be handed in."""

import asyncio
from dataclasses import replace

import pytest
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_drivers.services.deliveries import deliveries

BOOKS = ("payments_payment", "payments_driver_cash", "payments_driver_cash_entry", "drawer_movement")


@pytest.fixture
def books(owner):
    """Dump what the books of payments, drivers and drawers hold."""

    async def read():
        found = []
        for table in BOOKS:
            statement = f"SELECT to_jsonb(t)::text AS row FROM {table} t WHERE owner_id = $1 ORDER BY id"
            found += [row["row"] for row in await sql.fetch(statement, owner.id)]
        return found

    return read


@pytest.fixture
async def order(kitchen, driver):
    """A delivery of 20.00 that the driver has."""
    placed = await kitchen.place_delivery(2)
    assert (await kitchen.assign(placed, driver.id)).status == 200
    return placed


async def pay(kitchen, order, amount=None, method="card_external"):
    body = {"method": method} | ({} if amount is None else {"amount": amount})
    reply = await kitchen.send("POST", f"/orders/{order['id']}/payments", body)
    assert reply.status == 201, reply


async def refund(kitchen, order, amount, **fields):
    reply = await kitchen.send("POST", f"/orders/{order['id']}/refunds", {"amount": amount, "reason": "Cold", **fields})
    assert reply.status == 201, reply
    return reply


async def list_payments(kitchen, order):
    return (await kitchen.get(f"/orders/{order['id']}/payments"))["data"]


async def list_held_cash(kitchen):
    """List what each driver holds of the store's cash."""
    return [(each["driver_id"], each["amount"]) for each in (await kitchen.get("/driver-cash"))["data"]]


async def get_payment_state(kitchen, order):
    found = await kitchen.get_order(order)
    return found["payment_status"], found["is_paid"], found["paid_total"], found["amount_due"]


async def get_cash_due(driver):
    (delivery,) = (await driver.get("/deliveries"))["data"]
    return delivery["amount_to_collect"], delivery["is_paid"]


async def test_amount_to_collect_is_what_is_due(kitchen, driver, order):
    assert await get_cash_due(driver) == (20, False)

    await pay(kitchen, order, 5)
    assert await get_cash_due(driver) == (15, False)

    await refund(kitchen, order, 5)
    assert await get_cash_due(driver) == (20, False)

    await pay(kitchen, order)
    await refund(kitchen, order, 7)
    assert await get_cash_due(driver) == (0, True)


async def test_no_cash_is_collected_for_a_cancelled_order(kitchen, driver, order):
    await kitchen.set_status(order["id"], "cancelled")

    assert await get_cash_due(driver) == (0, False)
    refused = await driver.set_status(order["id"], "delivered", cash_collected=20)
    assert list(refused.errors) == ["cash_collected"]


async def test_delivering_books_the_amount_due_by_default(kitchen, driver, order, published):
    await pay(kitchen, order, 5)

    reply = await driver.set_status(order["id"], "delivered")

    assert (reply.status, reply["is_paid"], reply["amount_to_collect"]) == (200, True, 0)
    assert await get_payment_state(kitchen, order) == ("paid", True, 20, 0)
    cash, _ = await list_payments(kitchen, order)
    told = ("method", "status", "amount", "tip", "tendered", "change", "driver_id")
    assert [cash[name] for name in told] == ["cash", "succeeded", 15, 0, 15, 0, driver.id]
    assert await list_held_cash(kitchen) == [(driver.id, 15)]
    paid = [data for name, data in await published() if name == "order.paid"]
    assert [(data["total"], [part["amount"] for part in data["payments"]]) for data in paid] == [
        ("20.00", ["5.00", "15.00"])
    ]


async def test_driver_reports_the_collected_amount(kitchen, driver, order, paid_events):
    reply = await driver.set_status(order["id"], "delivered", cash_collected=12.5)

    assert (reply.status, reply["is_paid"], reply["amount_to_collect"]) == (200, False, 7.5)
    assert await get_payment_state(kitchen, order) == ("partially_paid", False, 12.5, 7.5)
    assert await list_held_cash(kitchen) == [(driver.id, 12.5)]
    assert await paid_events() == []


async def test_zero_cash_books_nothing(kitchen, driver, order, books):
    before = await books()

    reply = await driver.set_status(order["id"], "delivered", cash_collected=0)

    assert (reply.status, reply["delivery_status"]) == (200, "delivered")
    assert await get_payment_state(kitchen, order) == ("unpaid", False, 0, 20)
    assert await books() == before


async def test_paid_order_books_nothing(kitchen, driver, order, books):
    await pay(kitchen, order)
    before = await books()

    assert (await driver.set_status(order["id"], "delivered")).status == 200

    assert await books() == before


INVALID_AMOUNTS = [20.01, 200, 0.001, -1, 1e12, "x", True]


async def test_more_than_is_due_is_refused(kitchen, driver, order, rows, books, subtests):
    before = await rows(), await books()

    for amount in INVALID_AMOUNTS:
        with subtests.test(amount=amount):
            refused = await driver.set_status(order["id"], "delivered", cash_collected=amount)

            assert list(refused.errors) == ["cash_collected"]
            assert (await rows(), await books()) == before


async def test_refusal_names_the_amount_due(driver, order):
    refused = await driver.set_status(order["id"], "delivered", cash_collected=25)

    assert refused.errors["cash_collected"] == ["Only 20.00 EUR is due. A cash tip is the driver's and not entered."]


@pytest.mark.parametrize("status", ["picked_up", "out_for_delivery", "failed"])
async def test_cash_is_only_accepted_with_delivered(driver, order, rows, status):
    before = await rows()

    assert list((await driver.set_status(order["id"], status, cash_collected=5)).errors) == ["cash_collected"]

    assert await rows() == before


async def test_repeated_status_books_nothing(kitchen, driver, order, books):
    await driver.set_status(order["id"], "delivered", cash_collected=12)
    before = await books()

    assert (await driver.set_status(order["id"], "delivered")).status == 200
    assert (await driver.set_status(order["id"], "delivered", cash_collected=12)).status == 200

    assert await books() == before


async def test_other_amount_after_the_delivery_is_a_conflict(kitchen, driver, order, books):
    await driver.set_status(order["id"], "delivered", cash_collected=1)
    before = await books()

    from_driver = await driver.set_status(order["id"], "delivered", cash_collected=10)
    from_owner = await kitchen.override_status(order, "delivered", cash_collected=10)

    for refused in (from_driver, from_owner):
        assert (refused.status, refused["reason"], refused["cash_collected"]) == (409, "cash_booked", 1)
    assert await books() == before


async def test_cash_reported_after_the_owner_said_delivered_is_booked(kitchen, driver, order):
    assert (await kitchen.override_status(order, "delivered")).status == 200
    assert await get_payment_state(kitchen, order) == ("unpaid", False, 0, 20)

    reply = await driver.set_status(order["id"], "delivered", cash_collected=20)
    again = await driver.set_status(order["id"], "delivered", cash_collected=20)

    assert (reply.status, again.status, reply["is_paid"]) == (200, 200, True)
    assert await get_payment_state(kitchen, order) == ("paid", True, 20, 0)
    assert await list_held_cash(kitchen) == [(driver.id, 20)]


async def test_owner_reports_cash_of_a_delivered_order(kitchen, driver, order):
    await driver.set_status(order["id"], "delivered", cash_collected=0)

    reply = await kitchen.override_status(order, "delivered", cash_collected=12)

    assert (reply.status, await list_held_cash(kitchen)) == (200, [(driver.id, 12)])


async def test_concurrent_status_changes_book_once(kitchen, driver, order):
    replies = await asyncio.gather(*(driver.set_status(order["id"], "delivered") for _ in range(10)))

    assert {reply.status for reply in replies} == {200}
    assert len(await list_payments(kitchen, order)) == 1
    assert await list_held_cash(kitchen) == [(driver.id, 20)]


async def test_cash_and_status_are_written_atomically(kitchen, driver, order, books, rows, monkeypatch):
    before = await books(), await rows()

    async def die(*_, **__):
        raise RuntimeError("as if the process had been killed after the cash was booked")

    with monkeypatch.context() as broken:
        broken.setattr(deliveries, "update_status", die)
        assert (await driver.set_status(order["id"], "delivered")).status == 500
    assert (await books(), await rows()) == before

    assert (await driver.set_status(order["id"], "delivered")).status == 200
    assert await list_held_cash(kitchen) == [(driver.id, 20)]


@pytest.mark.parametrize("attempt", range(3))
async def test_concurrent_payment_and_delivery_do_not_overcharge(kitchen, driver, order, attempt):
    body = {"method": "card_external"}

    paid, delivered = await asyncio.gather(
        kitchen.send("POST", f"/orders/{order['id']}/payments", body), driver.set_status(order["id"], "delivered")
    )

    assert delivered.status == 200
    assert paid.status in {201, 409}
    assert await get_payment_state(kitchen, order) == ("paid", True, 20, 0)
    assert await list_held_cash(kitchen) == ([] if paid.status == 201 else [(driver.id, 20)])


async def test_reset_delivery_collects_the_remaining_amount(kitchen, driver, order):
    await driver.set_status(order["id"], "delivered", cash_collected=12)
    await kitchen.override_status(order, "out_for_delivery")

    assert (await driver.set_status(order["id"], "delivered")).status == 200

    assert await list_held_cash(kitchen) == [(driver.id, 20)]
    assert [each["amount"] for each in await list_payments(kitchen, order)] == [8, 12]


async def test_cash_is_rounded_as_the_store_rounds(kitchen, driver):
    assert (await kitchen.send("PUT", "/settings", {"cash_rounding": 0.05})).status == 200
    bread = await kitchen.item("Bread", 2.52)
    lines = [{"item_id": bread["id"], "quantity": 1}]
    order = await kitchen.place_delivery(items=lines)
    await kitchen.assign(order, driver.id)
    assert await get_cash_due(driver) == (2.5, False)

    reply = await driver.set_status(order["id"], "delivered")

    assert (reply.status, reply["is_paid"]) == (200, True)
    (cash,) = await list_payments(kitchen, order)
    assert [cash[name] for name in ("amount", "rounding", "tendered")] == [2.52, -0.02, 2.5]
    assert await list_held_cash(kitchen) == [(driver.id, 2.5)]


@pytest.mark.parametrize(("price", "reported", "held"), [(2.52, 2.52, 2.5), (2.53, 2.53, 2.55), (2.53, 2.54, 2.55)])
async def test_reported_cash_that_covers_the_order_is_rounded(kitchen, driver, price, reported, held):
    await kitchen.send("PUT", "/settings", {"cash_rounding": 0.05})
    bread = await kitchen.item("Bread", price)
    order = await kitchen.place_delivery(items=[{"item_id": bread["id"], "quantity": 1}])
    await kitchen.assign(order, driver.id)

    reply = await driver.set_status(order["id"], "delivered", cash_collected=reported)

    assert (reply.status, reply["is_paid"]) == (200, True), reply
    assert await list_held_cash(kitchen) == [(driver.id, held)]


async def test_override_books_nothing_by_default(kitchen, driver, order, books):
    before = await books()

    assert (await kitchen.override_status(order, "delivered")).status == 200

    assert await books() == before
    assert await get_payment_state(kitchen, order) == ("unpaid", False, 0, 20)


async def test_owner_reports_the_collected_amount(kitchen, driver, order):
    reply = await kitchen.override_status(order, "delivered", cash_collected=20)

    assert (reply.status, reply["is_paid"]) == (200, True)
    (cash,) = await list_payments(kitchen, order)
    assert cash["driver_id"] == driver.id
    assert await list_held_cash(kitchen) == [(driver.id, 20)]


async def test_cash_of_an_unassigned_delivery_is_refused(kitchen, books, rows):
    order = await kitchen.place_delivery()
    before = await books(), await rows()

    refused = await kitchen.override_status(order, "delivered", cash_collected=5)

    assert list(refused.errors) == ["cash_collected"]
    assert (await books(), await rows()) == before


async def test_collected_cash_is_in_no_drawer(kitchen, driver, order):
    shift = (await kitchen.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 0})).document

    await driver.set_status(order["id"], "delivered")

    assert (await kitchen.get(f"/shifts/{shift['id']}"))["expected"] == 0
    assert (await kitchen.get("/shifts/unassigned"))["data"] == []


async def test_driver_lists_cash_to_hand_in(kitchen, driver, order, clock):
    assert (await driver.get("/cash"))["data"] == []
    first = clock()
    await driver.set_status(order["id"], "delivered")
    clock.advance(minutes=5)
    await driver.set_status((await kitchen.place_assigned(driver))["id"], "delivered")

    (cash,) = (await driver.get("/cash"))["data"]

    names = ("restaurant_id", "currency", "amount", "since")
    assert [cash[name] for name in names] == [kitchen.id, "EUR", 30, first.isoformat()]


async def test_driver_does_not_see_cash_of_others(kitchen, driver, order):
    other = await kitchen.add_driver("Ana", phone="+351961234568")
    await driver.set_status(order["id"], "delivered")

    assert (await other.get("/cash"))["data"] == []


async def test_refund_reduces_the_cash_of_the_driver(kitchen, driver, order):
    shift = (await kitchen.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 0})).document
    await driver.set_status(order["id"], "delivered")

    await refund(kitchen, order, 8)
    assert await list_held_cash(kitchen) == [(driver.id, 12)]
    await refund(kitchen, order, 2, drawer="Bar")

    assert await list_held_cash(kitchen) == [(driver.id, 12)]
    assert (await kitchen.get(f"/shifts/{shift['id']}"))["expected"] == -2
    found = await kitchen.get(f"/driver-cash/{driver.id}")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in found["entries"]] == [
        ("refunded", -8, 12), ("collected", 20, 20)
    ]  # fmt: skip


async def test_delivery_works_without_a_cash_book(kitchen, driver, order, books):
    """As where the plugin payments is not installed."""
    before, current = await books(), runtime_module.current()
    runtime_module.use(replace(current, registry=replace(current.registry, cash_on_delivery=None)))
    try:
        reply = await driver.set_status(order["id"], "delivered", cash_collected=20)
        cash = (await driver.get("/cash"))["data"]
    finally:
        runtime_module.use(current)

    assert (reply.status, reply["delivery_status"], reply["is_paid"]) == (200, "delivered", False)
    assert cash == []
    assert await books() == before


async def test_cash_of_another_owner_is_not_visible(kitchen, driver, order, foreign):
    await driver.set_status(order["id"], "delivered")

    assert await list_held_cash(foreign) == []
    assert (await foreign.send("GET", f"/driver-cash/{driver.id}")).status == 404
    assert (await foreign.send_to(f"/api/v1/restaurants/{kitchen.id}/driver-cash")).status == 404


@pytest.fixture
def paid_events(published):
    async def read():
        return [data for name, data in await published() if name == "order.paid"]

    return read
