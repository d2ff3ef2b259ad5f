"""Stays booked: priced, mirrored, once per key, and refused with a reason where they do not fit."""

from datetime import timedelta

import pytest
from comanda.db import sql

from .conftest import TODAY, day


async def count(table, owner):
    return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)


async def test_a_stay_is_priced_by_night_and_shown_whole(hotel, clock):
    double = await hotel.room_type(rooms=1, base_adults=1, extra_adult_price=15.5)

    made = await hotel.stay(double, 1, 2, adults=2, children=1, phone="+351 1", email="a@example.com", note="Late.")

    assert made == await hotel.look(made)
    now = clock().isoformat()
    assert made == {
        "id": made["id"], "restaurant_id": hotel.id, "status": "confirmed", "room_type_id": double["id"],
        "room_type": "Double", "room_id": None, "room_number": None, "guest_name": "Ada Costa", "phone": "+351 1",
        "email": "a@example.com", "adults": 2, "children": 1, "check_in": day(1), "check_out": day(3), "nights": 2,
        "nightly": [{"date": day(1), "price": 95.5}, {"date": day(2), "price": 95.5}], "total": 191.0,
        "charges_total": 0.0, "folio": [], "folio_total": 191.0, "currency": "EUR", "note": "Late.", "source": "api",
        "cancelled_by": None, "customer_id": None, "departed_on": None, "expires_at": None,
        "reservation_id": made["reservation_id"], "created_at": now, "updated_at": now,
        "timeline": {"created_at": now, "confirmed_at": now},
    }  # fmt: skip


async def test_a_stay_is_in_the_list_of_reservations_and_announced(hotel, published):
    double = await hotel.room_type(rooms=1)

    made = await hotel.stay(double, 2, 3, adults=2, children=1, note="Late.", source="desk")

    (listed,) = (await hotel.get("/reservations"))["data"]
    # Lisbon keeps UTC in March until the last Sunday.
    expected = {
        "id": made["reservation_id"], "kind": "stay", "status": "confirmed", "guest_name": "Ada Costa",
        "party_size": 3, "starts_at": f"{day(2)}T15:00:00+00:00", "ends_at": f"{day(5)}T11:00:00+00:00",
        "note": "Late.", "source": "desk",
    }  # fmt: skip
    assert {name: listed[name] for name in expected} == expected
    ((name, data),) = await published()
    assert name == "reservation.created"
    assert (data["reservation_id"], data["kind"], data["status"]) == (made["reservation_id"], "stay", "confirmed")


async def test_arrival_and_departure_are_in_the_hotels_own_time(client, owner, hotel):
    far = type(hotel)(client, owner, await owner.store("hotel", timezone="Pacific/Auckland"))
    # It is tomorrow there.
    double = await far.room_type(rooms=1)

    assert (await far.book(double, 0)).errors == {"check_in": ["Must not be in the past."]}
    await far.stay(double, 1)

    (listed,) = (await far.get("/reservations"))["data"]
    assert listed["starts_at"] == f"{day(1)}T02:00:00+00:00"


async def test_a_key_books_once_and_its_repeat_answers_with_the_stay_as_it_is_now(hotel, published):
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
async def test_a_key_that_is_none_is_refused(hotel, owner, key):
    double = await hotel.room_type(rooms=1)

    assert (await hotel.book(double, key=key)).errors == {
        "Idempotency-Key": ["Send 1 to 255 visible ASCII characters."]
    }
    assert await count("hotel_stay", owner) == 0


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"check_in": day(-1)}, {"check_in": ["Must not be in the past."]}),
        ({"check_out": day(0)}, {"check_out": ["Must be after check_in."]}),
        ({"check_out": day(31)}, {"check_out": ["A stay may have at most 30 nights."]}),
        ({"check_in": "2029-03-10", "check_out": "2029-03-11"}, {"check_in": ["Rooms can be booked 730 days ahead."]}),
        ({"check_in": 0}, {"check_in": ["Must be a date such as 2026-02-28."]}),
        ({"check_in": "2027-02-30"}, {"check_in": None}),
        ({"adults": 3}, {"adults": ["Double sleeps at most 2 adults and 1 children."]}),
        ({"children": 2}, {"adults": ["Double sleeps at most 2 adults and 1 children."]}),
        ({"adults": 0}, {"adults": ["Must be 1 or more."]}),
        ({"guest_name": " "}, {"guest_name": ["Must not be blank."]}),
        ({"email": "nobody"}, {"email": ["Must be an e-mail address."]}),
        ({"status": "checked_in"}, {"status": None}),
        ({"room_type_id": 1}, {"room_type_id": ["This hotel has no room type 1."]}),
        ({"room_id": 1}, {"room_id": ["This hotel has no room 1."]}),
        ({"status": "optional", "expires_at": "2027-03-10T11:59:59Z"}, {"expires_at": None}),
        ({"status": "optional", "expires_at": "2027-06-10T12:00:00Z"}, {"expires_at": None}),
    ],
)
async def test_what_is_wrong_is_told_by_field_and_nothing_is_booked(hotel, owner, published, fields, errors):
    double = await hotel.room_type(rooms=1)

    reply = await hotel.book(double, **fields)

    assert reply.errors.keys() == errors.keys()
    assert all(errors[field] in (None, told) for field, told in reply.errors.items())
    assert [await count(f"hotel_{table}", owner) for table in ("stay", "room_night")] == [0, 0]
    assert await count("reservations_reservation", owner) == 0
    assert await published() == []


async def test_a_type_that_is_not_for_sale_cannot_be_booked(hotel):
    double = await hotel.room_type(rooms=1, is_active=False)

    assert (await hotel.book(double)).errors == {"room_type_id": ["Double is not for sale."]}


async def test_a_stay_that_is_too_short_for_its_type_is_refused_with_the_reason(hotel):
    double = await hotel.room_type(rooms=1, min_stay=3)

    reply = await hotel.book(double, 0, 2)

    assert (reply.errors, reply["reason"]) == ({"check_out": ["Double is sold for 3 nights or more."]}, "min_stay")
    await hotel.stay(double, 0, 3)


async def test_what_is_sold_cannot_be_sold_again(hotel, owner, published):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 1, 2)

    refused = await hotel.book(double, 0, 2)

    assert (refused.status, refused["code"], refused["reason"]) == (409, "conflict", "sold_out")
    assert refused["message"] == "Double is sold out on one of these nights."
    assert await count("hotel_stay", owner) == 1
    assert len(await published()) == 1


async def test_one_leaves_and_another_arrives_on_the_same_day(hotel):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 2, 2)

    await hotel.stay(double, 0, 2)
    await hotel.stay(double, 4, 1)


async def test_as_many_are_overbooked_as_the_type_allows(hotel):
    double = await hotel.room_type(rooms=1, overbooking_allowance=1)
    await hotel.stay(double)
    assert await hotel.free(double) == 1
    await hotel.stay(double)

    assert (await hotel.book(double))["reason"] == "sold_out"


async def test_a_room_can_be_given_at_booking_and_to_nobody_else_then(hotel):
    double = await hotel.room_type(rooms=2)
    first = double["rooms"][0]
    made = await hotel.stay(double, 0, 2, room_id=first["id"])

    refused = await hotel.book(double, 1, 1, room_id=first["id"])

    assert made["room_number"] == "101"
    assert (refused.status, refused["reason"]) == (409, "room_taken")
    assert refused["message"] == f"Room 101 is taken on {day(1)}."
    assert (await hotel.book(double, 2, 1, room_id=first["id"])).status == 201


async def test_a_room_of_another_type_or_out_of_order_is_refused_at_booking(hotel):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite", 1, first=201)
    broken = double["rooms"][1]
    await hotel.clean(broken, "out_of_order")

    wrong = await hotel.book(double, room_id=suite["rooms"][0]["id"])
    refused = await hotel.book(double, room_id=broken["id"])

    assert wrong.errors == {"room_id": ["Room 201 is not one of Double."]}
    assert (refused.status, refused["reason"]) == (409, "out_of_order")


async def test_a_hold_takes_the_room_until_its_time_is_over_without_anybody_tidying(hotel, clock):
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


async def test_a_store_without_rooms_has_nothing_of_a_hotels(store):
    for path in ("/availability", "/room-types", "/rooms", "/stays"):
        reply = await store.send("GET", path)
        assert (reply.status, reply["code"], reply["reason"]) == (404, "not_found", "not_applicable")
    made = await store.send("POST", "/room-types", {"name": "Double", "base_price": 1, "max_adults": 2})
    assert (made.status, made["reason"]) == (404, "not_applicable")


async def test_a_token_of_one_store_reaches_that_hotel_only(client, owner, hotel):
    other = await owner.store("hotel")
    await sql.execute("UPDATE core_access_token SET store_id = $2 WHERE id = $1", owner.token_id, other)

    assert (await hotel.send("GET", "/stays")).status == 404
    assert (await client.get(f"/api/v1/restaurants/{other}/stays", headers=owner.auth)).status_code == 200


def test_the_day_of_these_tests_is_a_wednesday():
    assert TODAY.weekday() == 2
