"""Opening and closing of shifts."""

from datetime import UTC, datetime

MORNING = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
EVENING = datetime(2030, 1, 7, 18, 0, tzinfo=UTC)


def list_replay_headers(reply):
    """Return the idempotency headers of a response."""
    return {name.lower() for name in reply.headers} & {"idempotent-replayed", "idempotency-mismatch"}


async def test_shift_from_opening_to_count(drawers, owner, clock, shift_events):
    clock.set(MORNING)
    shift = await drawers.open_shift("Bar", 100)
    assert (await drawers.create_movement(shift, "paid_in", 50, "Change from the bank")).status == 201
    assert (await drawers.create_movement(shift, "paid_out", 12.5, "Lemons"))["amount"] == -12.5
    assert (await drawers.create_movement(shift, "no_sale"))["amount"] == 0
    clock.set(EVENING)

    reply = await drawers.close_shift(shift, 135, "A coin on the floor?")

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


async def test_open_drawer_cannot_be_opened_again(drawers, shift_events):
    await drawers.open_shift("Bar")
    before = await drawers.list_rows()

    reply = await drawers.send("POST", "/shifts", {"drawer": " bAR ", "opening_float": 5})

    assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "drawer_open")
    assert await drawers.list_rows() == before
    assert len(await shift_events()) == 1


async def test_several_drawers_are_open_at_once(drawers, elsewhere):
    assert (await drawers.open_shift("Bar"))["id"] != (await drawers.open_shift("Terrace"))["id"]
    await elsewhere.open_shift("Bar")


async def test_closed_drawer_can_be_opened_again(drawers):
    first = await drawers.open_shift()
    await drawers.close_shift(first)

    assert (await drawers.open_shift())["id"] != first["id"]


async def test_closed_shift_accepts_no_movement_and_no_count(drawers, shift_events):
    shift = await drawers.open_shift()
    await drawers.close_shift(shift, 99)
    before = await drawers.list_rows()

    for reply in (await drawers.create_movement(shift, "paid_in", 5), await drawers.close_shift(shift, 100)):
        assert (reply.status, reply["reason"]) == (409, "shift_closed")

    assert await drawers.list_rows() == before
    assert len(await shift_events()) == 2


async def test_repeated_keys_change_once(drawers, shift_events):
    shift = await drawers.open_shift(Idempotency_Key="a")
    repeated = await drawers.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100}, Idempotency_Key="a")
    changed = await drawers.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 7}, Idempotency_Key="a")
    assert (repeated.status, repeated["id"], list_replay_headers(repeated)) == (
        201,
        shift["id"],
        {"idempotent-replayed"},
    )
    assert (changed["id"], changed["opening_float"]) == (shift["id"], 100.0)
    assert list_replay_headers(changed) == {"idempotent-replayed", "idempotency-mismatch"}

    moves = [await drawers.create_movement(shift, "paid_in", 5, Idempotency_Key="a") for _ in range(2)]
    assert moves[0].document == moves[1].document
    assert [list_replay_headers(move) for move in moves] == [set(), {"idempotent-replayed"}]

    closed = [await drawers.close_shift(shift, 100, Idempotency_Key="b") for _ in range(2)]
    assert closed[0].document == closed[1].document
    assert [(reply.status, list_replay_headers(reply)) for reply in closed] == [
        (200, set()),
        (200, {"idempotent-replayed"}),
    ]
    changed = await drawers.close_shift(shift, 90, Idempotency_Key="b")
    assert (changed["counted"], list_replay_headers(changed)) == (
        100.0,
        {"idempotent-replayed", "idempotency-mismatch"},
    )
    assert (await drawers.close_shift(shift, 100, Idempotency_Key="c")).status == 409
    late = await drawers.create_movement(shift, "paid_in", 5, Idempotency_Key="a")
    assert (late.status, late["id"]) == (201, moves[0]["id"])

    assert (await drawers.get_shift(shift))["expected"] == 105.0
    assert [name for name, _ in await shift_events()] == ["shift.opened", "shift.closed"]
