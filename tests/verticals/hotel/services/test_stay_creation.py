"""Bookings: prices, holds, keys and refusals."""

from datetime import timedelta

import pytest

from ..conftest import count_rows, day


async def test_stay_is_priced_by_night(hotel, clock):
    double = await hotel.room_type(rooms=1, base_adults=1, extra_adult_price=15.5)

    made = await hotel.stay(double, 1, 2, adults=2, children=1, phone="+351 1", email="a@example.com", note="Late.")

    assert made == await hotel.look(made)
    now = clock().isoformat()
    assert made == {
        "id": made["id"], "restaurant_id": hotel.id, "status": "confirmed", "room_type_id": double["id"],
        "room_type": "Double", "room_id": None, "room_number": None, "guest_name": "Ada Costa", "phone": "+351 1",
        "email": "a@example.com", "adults": 2, "children": 1, "check_in": day(1), "check_out": day(3), "nights": 2,
        "nightly": [{"date": day(1), "price": 95.5}, {"date": day(2), "price": 95.5}], "total": 191.0,
        "charges_total": 0.0, "folio": [], "folio_total": 191.0, "amount_due": 191.0, "deposit": None, "prepaid": 0.0,
            "currency": "EUR", "note": "Late.", "source": "api",
        "cancelled_by": None, "customer_id": None, "departed_on": None, "expires_at": None,
        "reservation_id": made["reservation_id"], "created_at": now, "updated_at": now,
        "timeline": {"created_at": now, "confirmed_at": now},
    }  # fmt: skip


async def test_repeated_key_returns_the_current_stay(hotel, published):
    double = await hotel.room_type(rooms=5)
    first = await hotel.book(double, key="k")
    await hotel.change(first, note="Changed.")

    again = await hotel.book(double, key="k")
    other = await hotel.book(double, guest_name="Somebody else", key="k")
    wrong = await hotel.send("POST", "/stays", {}, Idempotency_Key="k")

    assert [reply.status for reply in (first, again, other, wrong)] == [201] * 4
    assert {reply["id"] for reply in (first, again, other, wrong)} == {first["id"]}
    assert again["note"] == "Changed."
    marks = [{name.lower() for name in reply.headers} & {"idempotent-replayed", "idempotency-mismatch"}
             for reply in (first, again, other)]  # fmt: skip
    assert marks == [set(), {"idempotent-replayed"}, {"idempotent-replayed", "idempotency-mismatch"}]
    assert len(await published()) == 1
    assert (await hotel.book(double, key="other"))["id"] != first["id"]


@pytest.mark.parametrize("key", ["", "a b", "x" * 256])
async def test_invalid_key_is_refused(hotel, owner, key):
    double = await hotel.room_type(rooms=1)

    assert (await hotel.book(double, key=key)).errors == {
        "Idempotency-Key": ["Send 1 to 255 visible ASCII characters."]
    }
    assert await count_rows("hotel_stay", owner) == 0


async def test_inactive_room_type_cannot_be_booked(hotel):
    double = await hotel.room_type(rooms=1, is_active=False)

    assert (await hotel.book(double)).errors == {"room_type_id": ["Double is not for sale."]}


async def test_stay_below_minimum_length_is_refused(hotel):
    double = await hotel.room_type(rooms=1, min_stay=3)

    reply = await hotel.book(double, 0, 2)

    assert (reply.errors, reply["reason"]) == ({"check_out": ["Double is sold for 3 nights or more."]}, "min_stay")
    await hotel.stay(double, 0, 3)


async def test_sold_room_cannot_be_sold_again(hotel, owner, published):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 1, 2)

    refused = await hotel.book(double, 0, 2)

    assert (refused.status, refused["code"], refused["reason"]) == (409, "conflict", "sold_out")
    assert refused["message"] == "Double is sold out on one of these nights."
    assert await count_rows("hotel_stay", owner) == 1
    assert len(await published()) == 1


async def test_departure_and_arrival_share_a_day(hotel):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 2, 2)

    await hotel.stay(double, 0, 2)
    await hotel.stay(double, 4, 1)


async def test_overbooking_stops_at_the_allowance(hotel):
    double = await hotel.room_type(rooms=1, overbooking_allowance=1)
    await hotel.stay(double)
    assert await hotel.free(double) == 1
    await hotel.stay(double)

    assert (await hotel.book(double))["reason"] == "sold_out"


async def test_room_assigned_at_booking_is_taken(hotel):
    double = await hotel.room_type(rooms=2)
    first = double["rooms"][0]
    made = await hotel.stay(double, 0, 2, room_id=first["id"])

    refused = await hotel.book(double, 1, 1, room_id=first["id"])

    assert made["room_number"] == "101"
    assert (refused.status, refused["reason"]) == (409, "room_taken")
    assert refused["message"] == f"Room 101 is taken on {day(1)}."
    assert (await hotel.book(double, 2, 1, room_id=first["id"])).status == 201


async def test_booking_refuses_room_of_other_type_or_out_of_order(hotel):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite", 1, first=201)
    broken = double["rooms"][1]
    await hotel.clean(broken, "out_of_order")

    wrong = await hotel.book(double, room_id=suite["rooms"][0]["id"])
    refused = await hotel.book(double, room_id=broken["id"])

    assert wrong.errors == {"room_id": ["Room 201 is not one of Double."]}
    assert (refused.status, refused["reason"]) == (409, "out_of_order")


async def test_hold_takes_the_room_until_it_expires(hotel, clock):
    double = await hotel.room_type(rooms=1)
    held = await hotel.stay(double, 5, 2, status="optional")
    assert held["expires_at"] == (clock() + timedelta(days=1)).isoformat()
    assert await hotel.free(double, 5) == "sold_out"

    clock.advance(days=1)

    assert await hotel.free(double, 5) == 1
    await hotel.stay(double, 5, 2)
    late = await hotel.set(held, "confirmed")
    assert (late.status, late["reason"]) == (409, "sold_out")
    assert (await hotel.look(held))["status"] == "optional"
