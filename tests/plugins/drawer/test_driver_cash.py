"""Drivers hand in at a drawer what they took at doors."""

import asyncio

import pytest
from comanda.devkit.testing.stores import line


@pytest.fixture
async def driver(drawers):
    """A driver who took 30.00 for two orders."""
    body = {"name": "Rui Costa", "phone": "+351961234567"}
    made = await drawers.send_to("/api/v1/drivers", "POST", body)
    for soups in (1, 2):
        order = await drawers.order(line(drawers.soup, soups), type="delivery", address="Rua da Prata 8")
        path = f"/orders/{order['id']}"
        await drawers.send("POST", f"{path}/assign", {"driver_id": made["id"]})
        reply = await drawers.send(
            "PUT", f"{path}/delivery-status", {"status": "delivered", "cash_collected": 10 * soups}
        )
        assert reply.status == 200, reply
    return made["id"]


@pytest.fixture
def hand_in(drawers):
    async def send(shift, driver, amount=None, **headers):
        body = {"driver_id": driver} | ({} if amount is None else {"amount": amount})
        return await drawers.send("POST", f"/shifts/{shift['id']}/driver-cash", body, **headers)

    return send


async def held(drawers):
    return [each["amount"] for each in (await drawers.get("/driver-cash"))["data"]]


@pytest.fixture
def handed_in(published):
    async def read():
        return [data for name, data in await published() if name == "driver_cash.handed_in"]

    return read


async def test_all_that_a_driver_holds_goes_into_the_drawer(drawers, driver, hand_in, handed_in):
    shift = await drawers.open("Bar", 100)

    reply = await hand_in(shift, driver)

    told = ("kind", "amount", "driver_id", "order_id", "payment_id")
    assert (reply.status, [reply[name] for name in told]) == (201, ["driver_cash", 30, driver, None, None])
    found = await drawers.shift(shift)
    assert (found["expected"], found["summary"]["driver_cash"]) == (130, {"count": 1, "amount": 30})
    assert await held(drawers) == []
    (event,) = await handed_in()
    names = ("movement_id", "shift_id", "drawer", "driver_id", "amount", "left", "currency", "taken_by")
    assert [event[name] for name in names] == [
        reply["id"], shift["id"], "Bar", driver, "30.00", "0.00", "EUR", f"owner:{drawers.owner.id}",
    ]  # fmt: skip


async def test_what_is_handed_in_short_stays_the_drivers(drawers, driver, hand_in, handed_in):
    shift = await drawers.open("Bar", 0)

    assert (await hand_in(shift, driver, 25.5)).status == 201

    assert await held(drawers) == [4.5]
    assert (await drawers.shift(shift))["expected"] == 25.5
    assert [(event["amount"], event["left"]) for event in await handed_in()] == [("25.50", "4.50")]
    found = await drawers.get(f"/driver-cash/{driver}")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in found["entries"]] == [
        ("handed_in", -25.5, 4.5), ("collected", 20, 30), ("collected", 10, 10)
    ]  # fmt: skip


@pytest.mark.parametrize("amount", [0, 30.01, 0.001])
async def test_an_amount_that_the_driver_does_not_hold_is_refused(drawers, driver, hand_in, amount):
    shift = await drawers.open("Bar", 0)
    before = await drawers.rows()

    refused = await hand_in(shift, driver, amount)

    assert list(refused.errors) == ["amount"]
    assert (await drawers.rows(), await held(drawers)) == (before, [30])


async def test_a_driver_without_cash_hands_in_nothing(drawers, driver, hand_in):
    shift = await drawers.open("Bar", 0)
    assert (await hand_in(shift, driver)).status == 201
    before = await drawers.rows()

    refused = await hand_in(shift, driver)
    assert (refused.status, refused["reason"]) == (409, "nothing_held")
    unknown = await hand_in(shift, 987654321)
    assert (unknown.status, list(unknown["errors"])) == (422, ["driver_id"])

    assert await drawers.rows() == before


async def test_a_closed_shift_takes_no_drivers_cash(drawers, driver, hand_in):
    shift = await drawers.open("Bar", 0)
    await drawers.close(shift, 0)
    before = await drawers.rows()

    refused = await hand_in(shift, driver)

    assert (refused.status, refused["reason"]) == (409, "shift_closed")
    assert (await drawers.rows(), await held(drawers)) == (before, [30])


async def test_a_repeat_of_a_key_hands_in_once(drawers, driver, hand_in):
    shift = await drawers.open("Bar", 0)

    first = await hand_in(shift, driver, 10, Idempotency_Key="rui-monday")
    again = await hand_in(shift, driver, 10, Idempotency_Key="rui-monday")

    assert (again.status, again["id"], again.headers["idempotent-replayed"]) == (201, first["id"], "true")
    assert await held(drawers) == [20]


async def test_of_many_at_once_one_hands_in(drawers, driver, hand_in):
    shifts = [await drawers.open(f"Till {number}", 0) for number in range(5)]

    replies = await asyncio.gather(*(hand_in(shift, driver) for shift in shifts))

    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409, 409]
    assert sum([(await drawers.shift(shift))["expected"] for shift in shifts]) == 30
    assert await held(drawers) == []


async def test_after_handing_in_a_refund_comes_out_of_the_drawer(drawers, driver, hand_in):
    shift = await drawers.open("Bar", 0)
    await hand_in(shift, driver)
    order_id = (await drawers.get(f"/driver-cash/{driver}"))["entries"][1]["order_id"]

    reply = await drawers.send("POST", f"/orders/{order_id}/refunds", {"amount": 5, "reason": "Cold"})

    assert reply.status == 201
    assert (await drawers.shift(shift))["expected"] == 25
    assert await held(drawers) == []


async def test_members_of_staff_take_what_drivers_hand_in(drawers, driver):
    shift = await drawers.open("Bar", 0)
    cashier, cook = await drawers.member(), await drawers.member("kds")
    path = f"/{shift['id']}/driver-cash"

    assert (await cook.send("POST", path, {"driver_id": driver})).status == 403
    listed = await drawers.send_to("/api/v1/staff/driver-cash", **cashier.headers)
    reply = await cashier.send("POST", path, {"driver_id": driver, "amount": 30})

    assert [(each["driver_id"], each["driver_name"], each["amount"]) for each in listed["data"]] == [
        (driver, "Rui Costa", 30)
    ]
    assert (reply.status, reply["actor"]) == (201, cashier.actor)


async def test_a_driver_hands_in_at_the_store_whose_cash_it_is(drawers, elsewhere, driver):
    shift = await elsewhere.open("Bar", 0)

    refused = await elsewhere.send("POST", f"/shifts/{shift['id']}/driver-cash", {"driver_id": driver})

    assert (refused.status, refused["reason"]) == (409, "nothing_held")
    assert await held(drawers) == [30]


async def test_refunds_and_handing_in_at_once_leave_equal_books(drawers, driver, hand_in):
    shift = await drawers.open("Bar", 0)
    orders = [entry["order_id"] for entry in (await drawers.get(f"/driver-cash/{driver}"))["entries"]]
    body = {"amount": 1, "reason": "Cold"}

    replies = await asyncio.gather(
        *(drawers.send("POST", f"/orders/{order}/refunds", body) for order in orders * 3),
        *(hand_in(shift, driver, 2) for _ in range(6)),
    )

    assert {reply.status for reply in replies} == {201}
    assert (await drawers.shift(shift))["expected"] + sum(await held(drawers)) == 24
