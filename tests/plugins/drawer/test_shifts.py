"""Opening a drawer, cash in and out of it, and counting it at the end."""

from datetime import UTC, datetime

import pytest

MORNING = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
EVENING = datetime(2030, 1, 7, 18, 0, tzinfo=UTC)


async def test_a_day_of_a_drawer_from_its_float_to_its_count(drawers, owner, clock, shift_events):
    clock.set(MORNING)
    shift = await drawers.open("Bar", 100)
    assert (await drawers.move(shift, "paid_in", 50, "Change from the bank")).status == 201
    assert (await drawers.move(shift, "paid_out", 12.5, "Lemons"))["amount"] == -12.5
    assert (await drawers.move(shift, "no_sale"))["amount"] == 0
    clock.set(EVENING)

    reply = await drawers.close(shift, 135, "A coin on the floor?")

    me = f"owner:{owner.id}"
    opened = {"restaurant_id": drawers.id, "drawer": "Bar", "currency": "EUR", "opened_by": me}
    assert reply.status == 200
    expected = {
        **opened, "id": shift["id"], "status": "closed", "opening_float": 100.0, "expected": 137.5, "counted": 135.0,
        "difference": -2.5, "closed_by": me, "note": "A coin on the floor?",
    }  # fmt: skip
    assert {name: reply[name] for name in expected} == expected
    assert reply["summary"] == {
        "opening": {"count": 1, "amount": 100.0},
        "paid_in": {"count": 1, "amount": 50.0},
        "paid_out": {"count": 1, "amount": -12.5},
        "no_sale": {"count": 1, "amount": 0.0},
        "payment": {"count": 0, "amount": 0.0},
        "refund": {"count": 0, "amount": 0.0},
        "driver_cash": {"count": 0, "amount": 0.0},
    }
    assert [(move["kind"], move["note"]) for move in reply["movements"]] == [
        ("no_sale", None), ("paid_out", "Lemons"), ("paid_in", "Change from the bank"), ("opening", None),
    ]  # fmt: skip
    began = {"shift_id": shift["id"], **opened, "opened_at": "2030-01-07T09:00:00+00:00", "opening_float": "100.00"}
    ended = {"closed_by": me, "closed_at": "2030-01-07T18:00:00+00:00"}
    counted = {"expected": "137.50", "counted": "135.00", "difference": "-2.50"}
    assert await shift_events() == [("shift.opened", began), ("shift.closed", {**began, **ended, **counted})]


async def test_a_drawer_that_is_open_cannot_be_opened_whatever_the_case_of_its_name(drawers, shift_events):
    await drawers.open("Bar")
    before = await drawers.rows()

    reply = await drawers.send("POST", "/shifts", {"drawer": " bAR ", "opening_float": 5})

    assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "drawer_open")
    assert await drawers.rows() == before
    assert len(await shift_events()) == 1


async def test_drawers_of_one_store_and_of_others_are_open_at_once(drawers, elsewhere):
    assert (await drawers.open("Bar"))["id"] != (await drawers.open("Terrace"))["id"]
    await elsewhere.open("Bar")


async def test_a_drawer_opens_again_after_it_was_closed(drawers):
    first = await drawers.open()
    await drawers.close(first)

    assert (await drawers.open())["id"] != first["id"]


async def test_nothing_is_booked_in_a_closed_shift_and_it_is_counted_once(drawers, shift_events):
    shift = await drawers.open()
    await drawers.close(shift, 99)
    before = await drawers.rows()

    for reply in (await drawers.move(shift, "paid_in", 5), await drawers.close(shift, 100)):
        assert (reply.status, reply["reason"]) == (409, "shift_closed")

    assert await drawers.rows() == before
    assert len(await shift_events()) == 2


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"kind": "paid_in"}, "amount"),
        ({"kind": "paid_out", "amount": 0}, "amount"),
        ({"kind": "paid_out", "amount": -5}, "amount"),
        ({"kind": "paid_in", "amount": 0.001}, "amount"),
        ({"kind": "no_sale", "amount": 1}, "amount"),
        ({"kind": "opening", "amount": 1}, "kind"),
        ({"kind": "payment", "amount": 1}, "kind"),
        ({"kind": "paid_in", "amount": 1, "note": "x" * 501}, "note"),
    ],
)
async def test_a_movement_that_makes_no_sense_is_refused(drawers, fields, refused):
    shift = await drawers.open()
    before = await drawers.rows()

    reply = await drawers.send("POST", f"/shifts/{shift['id']}/movements", fields)

    assert set(reply.errors) == {refused}
    assert await drawers.rows() == before


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"opening_float": 1}, "drawer"),
        ({"drawer": " ", "opening_float": 1}, "drawer"),
        ({"drawer": "x" * 51, "opening_float": 1}, "drawer"),
        ({"drawer": "Bar"}, "opening_float"),
        ({"drawer": "Bar", "opening_float": -1}, "opening_float"),
        ({"drawer": "Bar", "opening_float": 0.005}, "opening_float"),
    ],
)
async def test_a_drawer_without_a_name_or_a_float_does_not_open(drawers, fields, refused):
    assert set((await drawers.send("POST", "/shifts", fields)).errors) == {refused}
    assert await drawers.rows() == []


def marks(reply):
    """Tell what an answer says of the key that its request had."""
    return {name.lower() for name in reply.headers} & {"idempotent-replayed", "idempotency-mismatch"}


async def test_repeats_of_a_key_open_move_and_close_once(drawers, shift_events):
    shift = await drawers.open(Idempotency_Key="a")
    repeated = await drawers.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100}, Idempotency_Key="a")
    changed = await drawers.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 7}, Idempotency_Key="a")
    assert (repeated.status, repeated["id"], marks(repeated)) == (201, shift["id"], {"idempotent-replayed"})
    assert (changed["id"], changed["opening_float"]) == (shift["id"], 100.0)
    assert marks(changed) == {"idempotent-replayed", "idempotency-mismatch"}

    moves = [await drawers.move(shift, "paid_in", 5, Idempotency_Key="a") for _ in range(2)]
    assert moves[0].document == moves[1].document
    assert [marks(move) for move in moves] == [set(), {"idempotent-replayed"}]

    closed = [await drawers.close(shift, 100, Idempotency_Key="b") for _ in range(2)]
    assert closed[0].document == closed[1].document
    assert [(reply.status, marks(reply)) for reply in closed] == [(200, set()), (200, {"idempotent-replayed"})]
    changed = await drawers.close(shift, 90, Idempotency_Key="b")
    assert (changed["counted"], marks(changed)) == (100.0, {"idempotent-replayed", "idempotency-mismatch"})
    assert (await drawers.close(shift, 100, Idempotency_Key="c")).status == 409
    late = await drawers.move(shift, "paid_in", 5, Idempotency_Key="a")
    assert (late.status, late["id"]) == (201, moves[0]["id"])

    assert (await drawers.shift(shift))["expected"] == 105.0
    assert [name for name, _ in await shift_events()] == ["shift.opened", "shift.closed"]


async def test_shifts_are_listed_newest_first_by_status_and_drawer(drawers):
    old = await drawers.open("Bar", 10)
    await drawers.move(old, "paid_in", 5)
    await drawers.close(old, 15)
    new = await drawers.open("Bar", 20)
    await drawers.move(new, "paid_out", 1)
    other = await drawers.open("Terrace", 30)

    async def listed(query=""):
        return [(shift["id"], shift["expected"]) for shift in (await drawers.get(f"/shifts{query}"))["data"]]

    assert await listed() == [(other["id"], 30.0), (new["id"], 19.0), (old["id"], 15.0)]
    assert await listed("?status=open&drawer=bar") == [(new["id"], 19.0)]
    assert await listed("?status=closed") == [(old["id"], 15.0)]
    page = await drawers.get("/shifts?per_page=1&page=2")
    assert (page["total"], page["data"][0]["id"]) == (3, new["id"])
    assert set((await drawers.send("GET", "/shifts?status=lost")).errors) == {"status"}


async def test_movements_are_listed_newest_first(drawers):
    shift = await drawers.open()
    for amount in (1, 2, 3):
        await drawers.move(shift, "paid_in", amount)

    page = await drawers.get(f"/shifts/{shift['id']}/movements?per_page=3")

    assert (page["total"], [move["amount"] for move in page["data"]]) == (4, [3.0, 2.0, 1.0])
    assert {move["shift_id"] for move in page["data"]} == {shift["id"]}
