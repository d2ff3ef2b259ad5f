"""Cash at the door: what the driver is told to take, what is booked of it, and what they have to hand in."""

import asyncio
from dataclasses import replace

import pytest
from comanda import runtime as runtime_module
from comanda.db import sql
from comanda_drivers.services import deliveries

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
async def order(kitchen, rider):
    """A delivery of 20.00 that the driver has."""
    placed = await kitchen.delivery(2)
    assert (await kitchen.assign(placed, rider.id)).status == 200
    return placed


async def pay(kitchen, order, amount=None, method="card_external"):
    body = {"method": method} | ({} if amount is None else {"amount": amount})
    reply = await kitchen.send("POST", f"/orders/{order['id']}/payments", body)
    assert reply.status == 201, reply


async def refund(kitchen, order, amount, **fields):
    reply = await kitchen.send("POST", f"/orders/{order['id']}/refunds", {"amount": amount, "reason": "Cold", **fields})
    assert reply.status == 201, reply
    return reply


async def payments_of(kitchen, order):
    return (await kitchen.get(f"/orders/{order['id']}/payments"))["data"]


async def held(kitchen):
    """List what each driver holds of the store's cash."""
    return [(each["driver_id"], each["amount"]) for each in (await kitchen.get("/driver-cash"))["data"]]


async def money(kitchen, order):
    found = await kitchen.shown(order)
    return found["payment_status"], found["is_paid"], found["paid_total"], found["amount_due"]


async def to_collect(rider):
    (errand,) = (await rider.get("/deliveries"))["data"]
    return errand["amount_to_collect"], errand["is_paid"]


async def test_a_driver_collects_what_the_bill_says_is_due(kitchen, rider, order):
    assert await to_collect(rider) == (20, False)

    await pay(kitchen, order, 5)
    assert await to_collect(rider) == (15, False)

    await refund(kitchen, order, 5)
    assert await to_collect(rider) == (20, False)

    await pay(kitchen, order)
    await refund(kitchen, order, 7)
    assert await to_collect(rider) == (0, True)


async def test_a_cancelled_order_is_not_collected_for(kitchen, rider, order):
    await kitchen.set_status(order["id"], "cancelled")

    assert await to_collect(rider) == (0, False)
    refused = await rider.set(order["id"], "delivered", cash_collected=20)
    assert list(refused.errors) == ["cash_collected"]


async def test_delivering_books_all_that_is_due_as_the_drivers_cash(kitchen, rider, order, published):
    await pay(kitchen, order, 5)

    reply = await rider.set(order["id"], "delivered")

    assert (reply.status, reply["is_paid"], reply["amount_to_collect"]) == (200, True, 0)
    assert await money(kitchen, order) == ("paid", True, 20, 0)
    cash, _ = await payments_of(kitchen, order)
    told = ("method", "status", "amount", "tip", "tendered", "change", "driver_id")
    assert [cash[name] for name in told] == ["cash", "succeeded", 15, 0, 15, 0, rider.id]
    assert await held(kitchen) == [(rider.id, 15)]
    paid = [data for name, data in await published() if name == "order.paid"]
    assert [(data["total"], [part["amount"] for part in data["payments"]]) for data in paid] == [
        ("20.00", ["5.00", "15.00"])
    ]


async def test_the_driver_says_how_much_it_was(kitchen, rider, order, paid_events):
    reply = await rider.set(order["id"], "delivered", cash_collected=12.5)

    assert (reply.status, reply["is_paid"], reply["amount_to_collect"]) == (200, False, 7.5)
    assert await money(kitchen, order) == ("partially_paid", False, 12.5, 7.5)
    assert await held(kitchen) == [(rider.id, 12.5)]
    assert await paid_events() == []


async def test_who_took_nothing_books_nothing(kitchen, rider, order, books):
    before = await books()

    reply = await rider.set(order["id"], "delivered", cash_collected=0)

    assert (reply.status, reply["delivery_status"]) == (200, "delivered")
    assert await money(kitchen, order) == ("unpaid", False, 0, 20)
    assert await books() == before


async def test_nothing_is_booked_of_an_order_that_is_paid(kitchen, rider, order, books):
    await pay(kitchen, order)
    before = await books()

    assert (await rider.set(order["id"], "delivered")).status == 200

    assert await books() == before


@pytest.mark.parametrize("amount", [20.01, 200, 0.001, -1, 1e12, "x", True])
async def test_no_more_can_be_collected_than_is_due(kitchen, rider, order, rows, books, amount):
    before = await rows(), await books()

    refused = await rider.set(order["id"], "delivered", cash_collected=amount)

    assert list(refused.errors) == ["cash_collected"]
    assert (await rows(), await books()) == before


async def test_more_than_is_due_says_what_is(rider, order):
    refused = await rider.set(order["id"], "delivered", cash_collected=25)

    assert refused.errors["cash_collected"] == ["Only 20.00 EUR is due. A cash tip is the driver's and not entered."]


@pytest.mark.parametrize("status", ["picked_up", "out_for_delivery", "failed"])
async def test_only_a_delivered_order_has_cash_collected(rider, order, rows, status):
    before = await rows()

    assert list((await rider.set(order["id"], status, cash_collected=5)).errors) == ["cash_collected"]

    assert await rows() == before


async def test_saying_delivered_again_books_nothing_again(kitchen, rider, order, books):
    await rider.set(order["id"], "delivered", cash_collected=12)
    before = await books()

    assert (await rider.set(order["id"], "delivered")).status == 200
    assert (await rider.set(order["id"], "delivered", cash_collected=8)).status == 200

    assert await books() == before


async def test_of_many_who_say_so_at_once_one_books(kitchen, rider, order):
    replies = await asyncio.gather(*(rider.set(order["id"], "delivered") for _ in range(10)))

    assert {reply.status for reply in replies} == {200}
    assert len(await payments_of(kitchen, order)) == 1
    assert await held(kitchen) == [(rider.id, 20)]


async def test_cash_and_status_are_written_together_or_not_at_all(kitchen, rider, order, books, rows, monkeypatch):
    before = await books(), await rows()

    async def die(*_, **__):
        raise RuntimeError("as if the process had been killed after the cash was booked")

    with monkeypatch.context() as broken:
        broken.setattr(deliveries, "update_status", die)
        assert (await rider.set(order["id"], "delivered")).status == 500
    assert (await books(), await rows()) == before

    assert (await rider.set(order["id"], "delivered")).status == 200
    assert await held(kitchen) == [(rider.id, 20)]


@pytest.mark.parametrize("attempt", range(3))
async def test_a_cashier_and_a_driver_at_once_take_no_more_than_is_due(kitchen, rider, order, attempt):
    body = {"method": "card_external"}

    paid, delivered = await asyncio.gather(
        kitchen.send("POST", f"/orders/{order['id']}/payments", body), rider.set(order["id"], "delivered")
    )

    assert delivered.status == 200
    assert paid.status in {201, 409}
    assert await money(kitchen, order) == ("paid", True, 20, 0)
    assert await held(kitchen) == ([] if paid.status == 201 else [(rider.id, 20)])


async def test_a_delivery_that_was_set_back_is_collected_for_what_is_still_due(kitchen, rider, order):
    await rider.set(order["id"], "delivered", cash_collected=12)
    await kitchen.override(order, "out_for_delivery")

    assert (await rider.set(order["id"], "delivered")).status == 200

    assert await held(kitchen) == [(rider.id, 20)]
    assert [each["amount"] for each in await payments_of(kitchen, order)] == [8, 12]


async def test_cash_is_collected_in_coins_of_the_store(kitchen, rider):
    assert (await kitchen.send("PUT", "/settings", {"cash_rounding": 0.05})).status == 200
    bread = await kitchen.item("Bread", 2.52)
    lines = [{"item_id": bread["id"], "quantity": 1}]
    order = await kitchen.delivery(items=lines)
    await kitchen.assign(order, rider.id)
    assert await to_collect(rider) == (2.5, False)

    reply = await rider.set(order["id"], "delivered")

    assert (reply.status, reply["is_paid"]) == (200, True)
    (cash,) = await payments_of(kitchen, order)
    assert [cash[name] for name in ("amount", "rounding", "tendered")] == [2.52, -0.02, 2.5]
    assert await held(kitchen) == [(rider.id, 2.5)]


async def test_an_owner_who_says_delivered_books_nothing(kitchen, rider, order, books):
    before = await books()

    assert (await kitchen.override(order, "delivered")).status == 200

    assert await books() == before
    assert await money(kitchen, order) == ("unpaid", False, 0, 20)


async def test_an_owner_may_say_what_the_driver_took(kitchen, rider, order):
    reply = await kitchen.override(order, "delivered", cash_collected=20)

    assert (reply.status, reply["is_paid"]) == (200, True)
    (cash,) = await payments_of(kitchen, order)
    assert cash["driver_id"] == rider.id
    assert await held(kitchen) == [(rider.id, 20)]


async def test_nobody_collects_for_an_order_that_no_driver_has(kitchen, books, rows):
    order = await kitchen.delivery()
    before = await books(), await rows()

    refused = await kitchen.override(order, "delivered", cash_collected=5)

    assert list(refused.errors) == ["cash_collected"]
    assert (await books(), await rows()) == before


async def test_drivers_cash_lies_in_no_drawer(kitchen, rider, order):
    shift = (await kitchen.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 0})).document

    await rider.set(order["id"], "delivered")

    assert (await kitchen.get(f"/shifts/{shift['id']}"))["expected"] == 0
    assert (await kitchen.get("/shifts/unassigned"))["data"] == []


async def test_a_driver_sees_the_cash_to_hand_in(kitchen, rider, order, clock):
    assert (await rider.get("/cash"))["data"] == []
    first = clock()
    await rider.set(order["id"], "delivered")
    clock.advance(minutes=5)
    await rider.set((await kitchen.assigned(rider))["id"], "delivered")

    (cash,) = (await rider.get("/cash"))["data"]

    names = ("restaurant_id", "currency", "amount", "since")
    assert [cash[name] for name in names] == [kitchen.id, "EUR", 30, first.isoformat()]


async def test_a_driver_sees_nobody_elses_cash(kitchen, rider, order):
    other = await kitchen.rider("Ana", phone="+351961234568")
    await rider.set(order["id"], "delivered")

    assert (await other.get("/cash"))["data"] == []


async def test_a_refund_comes_from_the_driver_who_still_has_the_cash(kitchen, rider, order):
    shift = (await kitchen.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 0})).document
    await rider.set(order["id"], "delivered")

    await refund(kitchen, order, 8)
    assert await held(kitchen) == [(rider.id, 12)]
    await refund(kitchen, order, 2, drawer="Bar")

    assert await held(kitchen) == [(rider.id, 12)]
    assert (await kitchen.get(f"/shifts/{shift['id']}"))["expected"] == -2
    found = await kitchen.get(f"/driver-cash/{rider.id}")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in found["entries"]] == [
        ("refunded", -8, 12), ("collected", 20, 20)
    ]  # fmt: skip


async def test_without_a_book_of_cash_a_delivery_is_delivered_and_nothing_more(kitchen, rider, order, books):
    """As where the plugin payments is not installed."""
    before, current = await books(), runtime_module.current()
    runtime_module.use(replace(current, registry=replace(current.registry, cash_on_delivery=None)))
    try:
        reply = await rider.set(order["id"], "delivered", cash_collected=20)
        cash = (await rider.get("/cash"))["data"]
    finally:
        runtime_module.use(current)

    assert (reply.status, reply["delivery_status"], reply["is_paid"]) == (200, "delivered", False)
    assert cash == []
    assert await books() == before


async def test_another_owner_sees_no_drivers_cash(kitchen, rider, order, foreign):
    await rider.set(order["id"], "delivered")

    assert await held(foreign) == []
    assert (await foreign.send("GET", f"/driver-cash/{rider.id}")).status == 404
    assert (await foreign.send_to(f"/api/v1/restaurants/{kitchen.id}/driver-cash")).status == 404


@pytest.fixture
def paid_events(published):
    async def read():
        return [data for name, data in await published() if name == "order.paid"]

    return read
