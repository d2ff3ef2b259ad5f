"""Creating and updating table reservations."""

import pytest


async def test_reservation_gets_smallest_table_for_one_turn(restaurant, published):
    await restaurant.create_table("big", 6)
    await restaurant.create_table("small", 2)

    made = await restaurant.create_reservation(
        party_size=2, phone="+351 912 555 101", email="ada@example.com", note="Quiet"
    )

    assert made == {
        "id": made["id"],
        "kind": "table",
        "status": "confirmed",
        "guest_name": "Ada Costa",
        "phone": "+351 912 555 101",
        "email": "ada@example.com",
        "party_size": 2,
        "starts_at": "2027-03-10T18:00:00+00:00",
        "ends_at": "2027-03-10T19:30:00+00:00",
        "table_numbers": ["small"],
        "note": "Quiet",
        "source": "api",
        "cancelled_by": None,
        "created_at": "2027-03-10T12:00:00+00:00",
        "deposit": None,
    }
    assert await restaurant.get_reservation(made) == made
    assert await published() == [
        (
            "reservation.created",
            {
                "reservation_id": made["id"],
                "restaurant_id": restaurant.store.id,
                "kind": "table",
                "status": "confirmed",
                "starts_at": "2027-03-10T18:00:00+00:00",
                "party_size": 2,
                "guest_name": "Ada Costa",
            },
        )
    ]


async def test_table_is_reserved_once_at_a_time(restaurant, published):
    await restaurant.create_table("1")
    first = await restaurant.create_reservation(hours=6)

    full = await restaurant.request_reservation(hours=7)
    named = await restaurant.request_reservation(hours=7, table_numbers=["1"])
    after = await restaurant.create_reservation(hours=7.5, table_numbers=[1])

    assert (full.status, full["reason"]) == (409, "fully_booked")
    assert full["message"] == "No table for 2 is available at that time."
    assert (named.status, named["reason"], named["table_numbers"]) == (409, "table_taken", ["1"])
    assert await restaurant.count_reservations() == 2
    assert await restaurant.list_seatings() == [(first["id"], "1"), (after["id"], "1")]
    assert len(await published()) == 2


async def test_pending_reservation_holds_its_table(restaurant):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation(status="pending", ends_at="2027-03-10T21:00:00Z", source="phone")

    assert (made["status"], made["ends_at"], made["source"]) == ("pending", "2027-03-10T21:00:00+00:00", "phone")
    assert (await restaurant.request_reservation(hours=8)).status == 409


async def test_new_start_moves_end_and_keeps_table(restaurant, published):
    await restaurant.create_table("small", 2)
    await restaurant.create_table("big", 6)
    made = await restaurant.create_reservation(table_numbers=["big"])

    reply = await restaurant.update_reservation(made, starts_at="2027-03-10T18:30:00Z")

    assert reply.document == {
        **made,
        "starts_at": "2027-03-10T18:30:00+00:00",
        "ends_at": "2027-03-10T20:00:00+00:00",
    }
    assert (await restaurant.request_reservation(hours=6, table_numbers=["big"])).status == 409
    assert (await restaurant.request_reservation(hours=5, table_numbers=["big"])).status == 201
    assert [name for name, _ in await published()] == ["reservation.created"] * 2


async def test_larger_party_moves_to_larger_tables(restaurant):
    await restaurant.create_table("1", 2)
    await restaurant.create_table("2", 6)
    made = await restaurant.create_reservation(party_size=2)

    grown = await restaurant.update_reservation(made, party_size=5)
    shrunk = await restaurant.update_reservation(made, party_size=2)
    anew = await restaurant.update_reservation(made, table_numbers=[])

    assert [reply["table_numbers"] for reply in (grown, shrunk, anew)] == [["2"], ["2"], ["1"]]
    assert await restaurant.list_seatings() == [(made["id"], "1")]


async def test_taken_time_changes_nothing(restaurant):
    await restaurant.create_table("1")
    await restaurant.create_reservation(hours=8)
    made = await restaurant.create_reservation(hours=6)

    moved = await restaurant.update_reservation(made, starts_at="2027-03-10T19:30:00Z", guest_name="Other")
    longer = await restaurant.update_reservation(made, ends_at="2027-03-10T20:30:00Z")
    past = await restaurant.update_reservation(made, starts_at="2027-03-10T11:00:00Z")
    endless = await restaurant.update_reservation(made, ends_at="9999-12-31T23:59:59Z")
    last = await restaurant.update_reservation(made, starts_at="9999-12-31T23:59:59Z", override=True)

    assert [(reply.status, reply["reason"]) for reply in (moved, longer)] == [(409, "fully_booked")] * 2
    assert past.errors == {"starts_at": ["Must not be in the past."]}
    assert endless.errors == {"ends_at": ["A reservation lasts at most 24 hours."]}
    assert last.errors == {"starts_at": ["Must be within the next two years."]}
    assert await restaurant.get_reservation(made) == made
    assert len(await restaurant.list_seatings()) == 2


async def test_guest_can_be_changed_and_cleared(restaurant):
    made = await restaurant.create_reservation(phone="1", email="ada@example.com", note="Quiet")
    await restaurant.update_status(made, "seated")
    await restaurant.update_status(made, "completed")

    reply = await restaurant.update_reservation(made, guest_name="Ada C.", phone="", email=None, note="Tipped well")

    assert reply.document == {
        **made, "status": "completed", "guest_name": "Ada C.", "phone": None, "note": "Tipped well",
    }  # fmt: skip


async def test_empty_change_has_no_effect(restaurant):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation()

    same = {name: made[name] for name in ("party_size", "starts_at", "ends_at", "table_numbers")}

    assert (await restaurant.update_reservation(made)).document == made
    assert (await restaurant.update_reservation(made, **same)).document == made


@pytest.mark.parametrize("fields", [{"party_size": 3}, {"starts_at": "2027-03-10T20:00:00Z"}, {"table_numbers": ["1"]}])
async def test_past_reservation_keeps_time_and_tables(restaurant, fields):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation()
    cancelled = (await restaurant.update_status(made, "cancelled")).document

    reply = await restaurant.update_reservation(made, **fields)

    assert (reply.status, reply["code"]) == (409, "conflict")
    assert await restaurant.get_reservation(made) == cancelled
    assert await restaurant.list_seatings() == []


async def test_seated_guests_can_only_stay_longer(restaurant, noon):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation(hours=1)
    noon.advance(hours=2)
    await restaurant.update_status(made, "seated")

    moved = await restaurant.update_reservation(made, starts_at="2027-03-10T15:00:00Z")
    longer = await restaurant.update_reservation(made, ends_at="2027-03-10T16:00:00Z")

    assert moved.status == 409
    assert (longer.status, longer["ends_at"]) == (200, "2027-03-10T16:00:00+00:00")
    assert (await restaurant.request_reservation(hours=3.5)).status == 409


async def test_reservation_keeps_deactivated_table(restaurant):
    first = await restaurant.create_table("1")
    await restaurant.create_table("2")
    made = await restaurant.create_reservation()
    await restaurant.store.send("PUT", f"/tables/{first['id']}", {"is_active": False})

    longer = await restaurant.update_reservation(made, ends_at="2027-03-10T21:00:00Z")

    assert (longer.status, longer["table_numbers"]) == (200, ["1"])


async def test_longer_stay_counts_against_seats(restaurant):
    await restaurant.update_settings(capacity_seats=4)
    made = await restaurant.create_reservation(party_size=3)
    await restaurant.create_reservation(hours=8, party_size=3)

    longer = await restaurant.update_reservation(made, ends_at="2027-03-10T20:30:00Z")

    assert (longer.status, longer["reason"]) == (409, "fully_booked")
    assert await restaurant.get_reservation(made) == made


async def test_party_can_grow_up_to_capacity(restaurant):
    await restaurant.update_settings(capacity_seats=10)
    made = await restaurant.create_reservation(party_size=6)

    full = await restaurant.update_reservation(made, party_size=11)

    assert (full.status, full["reason"]) == (409, "fully_booked")
    assert (await restaurant.update_reservation(made, party_size=10)).status == 200
