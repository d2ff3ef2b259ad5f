"""Moving a reservation: its time, its party, its tables, its guest."""

import pytest


async def test_a_new_time_moves_the_end_along_and_keeps_the_table(restaurant, published):
    await restaurant.table("small", 2)
    await restaurant.table("big", 6)
    made = await restaurant.reserve(table_numbers=["big"])

    reply = await restaurant.change(made, starts_at="2027-03-10T18:30:00Z")

    assert reply.document == {
        **made,
        "starts_at": "2027-03-10T18:30:00+00:00",
        "ends_at": "2027-03-10T20:00:00+00:00",
    }
    assert (await restaurant.ask(hours=6, table_numbers=["big"])).status == 409
    assert (await restaurant.ask(hours=5, table_numbers=["big"])).status == 201
    assert [name for name, _ in await published()] == ["reservation.created"] * 2


async def test_a_party_that_grows_moves_to_tables_that_seat_it(restaurant):
    await restaurant.table("1", 2)
    await restaurant.table("2", 6)
    made = await restaurant.reserve(party_size=2)

    grown = await restaurant.change(made, party_size=5)
    shrunk = await restaurant.change(made, party_size=2)
    anew = await restaurant.change(made, table_numbers=[])

    assert [reply["table_numbers"] for reply in (grown, shrunk, anew)] == [["2"], ["2"], ["1"]]
    assert await restaurant.seatings() == [(made["id"], "1")]


async def test_a_time_at_which_all_is_taken_changes_nothing(restaurant):
    await restaurant.table("1")
    await restaurant.reserve(hours=8)
    made = await restaurant.reserve(hours=6)

    moved = await restaurant.change(made, starts_at="2027-03-10T19:30:00Z", guest_name="Other")
    longer = await restaurant.change(made, ends_at="2027-03-10T20:30:00Z")
    past = await restaurant.change(made, starts_at="2027-03-10T11:00:00Z")
    endless = await restaurant.change(made, ends_at="9999-12-31T23:59:59Z")
    last = await restaurant.change(made, starts_at="9999-12-31T23:59:59Z", override=True)

    assert [(reply.status, reply["reason"]) for reply in (moved, longer)] == [(409, "fully_booked")] * 2
    assert past.errors == {"starts_at": ["Must not be in the past."]}
    assert endless.errors == {"ends_at": ["A reservation lasts at most 24 hours."]}
    assert last.errors == {"starts_at": ["Must be within the next two years."]}
    assert await restaurant.shown(made) == made
    assert len(await restaurant.seatings()) == 2


async def test_the_guest_can_be_changed_and_cleared_at_any_time(restaurant):
    made = await restaurant.reserve(phone="1", email="ada@example.com", note="Quiet")
    await restaurant.set_status(made, "seated")
    await restaurant.set_status(made, "completed")

    reply = await restaurant.change(made, guest_name="Ada C.", phone="", email=None, note="Tipped well")

    assert reply.document == {
        **made, "status": "completed", "guest_name": "Ada C.", "phone": None, "note": "Tipped well",
    }  # fmt: skip


async def test_nothing_to_change_changes_nothing(restaurant):
    await restaurant.table("1")
    made = await restaurant.reserve()

    same = {name: made[name] for name in ("party_size", "starts_at", "ends_at", "table_numbers")}

    assert (await restaurant.change(made)).document == made
    assert (await restaurant.change(made, **same)).document == made


@pytest.mark.parametrize("fields", [{"party_size": 3}, {"starts_at": "2027-03-10T20:00:00Z"}, {"table_numbers": ["1"]}])
async def test_what_is_over_keeps_its_time_and_tables(restaurant, fields):
    await restaurant.table("1")
    made = await restaurant.reserve()
    cancelled = (await restaurant.set_status(made, "cancelled")).document

    reply = await restaurant.change(made, **fields)

    assert (reply.status, reply["code"]) == (409, "conflict")
    assert await restaurant.shown(made) == cancelled
    assert await restaurant.seatings() == []


async def test_seated_guests_may_stay_longer_but_did_not_come_at_another_time(restaurant, noon):
    await restaurant.table("1")
    made = await restaurant.reserve(hours=1)
    noon.advance(hours=2)
    await restaurant.set_status(made, "seated")

    moved = await restaurant.change(made, starts_at="2027-03-10T15:00:00Z")
    longer = await restaurant.change(made, ends_at="2027-03-10T16:00:00Z")

    assert moved.status == 409
    assert (longer.status, longer["ends_at"]) == (200, "2027-03-10T16:00:00+00:00")
    assert (await restaurant.ask(hours=3.5)).status == 409


async def test_guests_keep_a_table_that_was_put_out_of_use_since(restaurant):
    first = await restaurant.table("1")
    await restaurant.table("2")
    made = await restaurant.reserve()
    await restaurant.store.send("PUT", f"/tables/{first['id']}", {"is_active": False})

    longer = await restaurant.change(made, ends_at="2027-03-10T21:00:00Z")

    assert (longer.status, longer["table_numbers"]) == (200, ["1"])


async def test_a_longer_stay_counts_against_the_seats_too(restaurant):
    await restaurant.settings(capacity_seats=4)
    made = await restaurant.reserve(party_size=3)
    await restaurant.reserve(hours=8, party_size=3)

    longer = await restaurant.change(made, ends_at="2027-03-10T20:30:00Z")

    assert (longer.status, longer["reason"]) == (409, "fully_booked")
    assert await restaurant.shown(made) == made


async def test_a_party_may_grow_to_what_the_house_seats(restaurant):
    await restaurant.settings(capacity_seats=10)
    made = await restaurant.reserve(party_size=6)

    full = await restaurant.change(made, party_size=11)

    assert (full.status, full["reason"]) == (409, "fully_booked")
    assert (await restaurant.change(made, party_size=10)).status == 200
