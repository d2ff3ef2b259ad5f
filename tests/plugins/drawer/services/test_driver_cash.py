"""Cash that drivers hand in at a drawer."""

import asyncio

import pytest


async def test_driver_hands_in_all_cash_by_default(drawers, driver, hand_in, handed_in):
    shift = await drawers.open_shift("Bar", 100)

    reply = await hand_in(shift, driver)

    told = ("kind", "amount", "driver_id", "order_id", "payment_id")
    assert (reply.status, [reply[name] for name in told]) == (201, ["driver_cash", 30, driver, None, None])
    found = await drawers.get_shift(shift)
    assert (found["expected"], found["summary"]["driver_cash"]) == (130, {"count": 1, "amount": 30})
    assert await drawers.list_held_cash() == []
    (event,) = await handed_in()
    names = ("movement_id", "shift_id", "drawer", "driver_id", "amount", "left", "currency", "taken_by")
    assert [event[name] for name in names] == [
        reply["id"], shift["id"], "Bar", driver, "30.00", "0.00", "EUR", f"owner:{drawers.owner.id}",
    ]  # fmt: skip


async def test_remaining_cash_stays_with_the_driver(drawers, driver, hand_in, handed_in):
    shift = await drawers.open_shift("Bar", 0)

    assert (await hand_in(shift, driver, 25.5)).status == 201

    assert await drawers.list_held_cash() == [4.5]
    assert (await drawers.get_shift(shift))["expected"] == 25.5
    assert [(event["amount"], event["left"]) for event in await handed_in()] == [("25.50", "4.50")]
    found = await drawers.get(f"/driver-cash/{driver}")
    assert [(entry["kind"], entry["amount"], entry["balance"]) for entry in found["entries"]] == [
        ("handed_in", -25.5, 4.5), ("collected", 20, 30), ("collected", 10, 10)
    ]  # fmt: skip


@pytest.mark.parametrize("amount", [0, 30.01, 0.001])
async def test_more_than_the_driver_holds_is_refused(drawers, driver, hand_in, amount):
    shift = await drawers.open_shift("Bar", 0)
    before = await drawers.list_rows()

    refused = await hand_in(shift, driver, amount)

    assert list(refused.errors) == ["amount"]
    assert (await drawers.list_rows(), await drawers.list_held_cash()) == (before, [30])


async def test_driver_without_cash_is_refused(drawers, driver, hand_in):
    shift = await drawers.open_shift("Bar", 0)
    assert (await hand_in(shift, driver)).status == 201
    before = await drawers.list_rows()

    refused = await hand_in(shift, driver)
    assert (refused.status, refused["reason"]) == (409, "nothing_held")
    unknown = await hand_in(shift, 987654321)
    assert (unknown.status, list(unknown["errors"])) == (422, ["driver_id"])

    assert await drawers.list_rows() == before


async def test_closed_shift_accepts_no_driver_cash(drawers, driver, hand_in):
    shift = await drawers.open_shift("Bar", 0)
    await drawers.close_shift(shift, 0)
    before = await drawers.list_rows()

    refused = await hand_in(shift, driver)

    assert (refused.status, refused["reason"]) == (409, "shift_closed")
    assert (await drawers.list_rows(), await drawers.list_held_cash()) == (before, [30])


async def test_repeated_key_hands_in_once(drawers, driver, hand_in):
    shift = await drawers.open_shift("Bar", 0)

    first = await hand_in(shift, driver, 10, Idempotency_Key="rui-monday")
    again = await hand_in(shift, driver, 10, Idempotency_Key="rui-monday")

    assert (again.status, again["id"], again.headers["idempotent-replayed"]) == (201, first["id"], "true")
    assert await drawers.list_held_cash() == [20]


async def test_one_of_concurrent_requests_hands_in(drawers, driver, hand_in):
    shifts = [await drawers.open_shift(f"Till {number}", 0) for number in range(5)]

    replies = await asyncio.gather(*(hand_in(shift, driver) for shift in shifts))

    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409, 409]
    assert sum([(await drawers.get_shift(shift))["expected"] for shift in shifts]) == 30
    assert await drawers.list_held_cash() == []


async def test_refund_after_handing_in_comes_from_the_drawer(drawers, driver, hand_in):
    shift = await drawers.open_shift("Bar", 0)
    await hand_in(shift, driver)
    order_id = (await drawers.get(f"/driver-cash/{driver}"))["entries"][1]["order_id"]

    reply = await drawers.send("POST", f"/orders/{order_id}/refunds", {"amount": 5, "reason": "Cold"})

    assert reply.status == 201
    assert (await drawers.get_shift(shift))["expected"] == 25
    assert await drawers.list_held_cash() == []


async def test_cash_of_another_store_is_not_accepted(drawers, elsewhere, driver):
    shift = await elsewhere.open_shift("Bar", 0)

    refused = await elsewhere.send("POST", f"/shifts/{shift['id']}/driver-cash", {"driver_id": driver})

    assert (refused.status, refused["reason"]) == (409, "nothing_held")
    assert await drawers.list_held_cash() == [30]


async def test_concurrent_refunds_and_handing_in_balance(drawers, driver, hand_in):
    shift = await drawers.open_shift("Bar", 0)
    orders = [entry["order_id"] for entry in (await drawers.get(f"/driver-cash/{driver}"))["entries"]]
    body = {"amount": 1, "reason": "Cold"}

    replies = await asyncio.gather(
        *(drawers.send("POST", f"/orders/{order}/refunds", body) for order in orders * 3),
        *(hand_in(shift, driver, 2) for _ in range(6)),
    )

    assert {reply.status for reply in replies} == {201}
    assert (await drawers.get_shift(shift))["expected"] + sum(await drawers.list_held_cash()) == 24


@pytest.fixture
def hand_in(drawers):
    async def send(shift, driver, amount=None, **headers):
        body = {"driver_id": driver} | ({} if amount is None else {"amount": amount})
        return await drawers.send("POST", f"/shifts/{shift['id']}/driver-cash", body, **headers)

    return send


@pytest.fixture
def handed_in(published):
    async def read():
        return [data for name, data in await published() if name == "driver_cash.handed_in"]

    return read
