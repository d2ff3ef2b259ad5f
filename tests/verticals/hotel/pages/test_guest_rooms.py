"""A hotel's pages for guests: the search for rooms, and stays by their links."""

from uuid import uuid4

import pytest
from comanda.platform.db import sql

from ..conftest import OWN_PAGE, HotelGuest, day, to_cancellation


async def test_search_shows_free_rooms_and_why_others_are_not(hotel, guest):
    await hotel.room_type("Double", rooms=1, description="Quiet <i>garden</i>")
    await hotel.room_type("Suite", rooms=1, first=201, min_stay=3)
    await hotel.room_type("Cabin")

    status, page = await guest.search(f"check_in={day(1)}&check_out={day(3)}&adults=2")

    assert status == 200
    assert "€160.00" in page
    assert "Quiet &lt;i&gt;garden&lt;/i&gt;" in page
    assert "Your stay is shorter than the minimum for this room." in page
    assert "This room is not for sale at the moment." in page


@pytest.mark.parametrize("query", ["check_in=x", "adults=0", "adults=x", "check_in=2020-01-01", "children=-1"])
async def test_wrong_search_is_explained(hotel, guest, query):
    room_type = await hotel.room_type(rooms=1)

    for room in ("", f"/{room_type['id']}"):
        status, page = await guest.search(query, room)
        assert status == 200
        assert 'role="alert"' in page


async def test_booking_is_found_by_its_link_alone(hotel, guest):
    room_type = await hotel.room_type(rooms=1)

    status, made = await guest.book(room_type, note="<b>Late</b>")

    assert status == 201, made
    status, page = await guest.read(made["url"])
    assert status == 200
    assert "&lt;b&gt;Late&lt;/b&gt;" in page
    path, _, query = made["url"].partition("?")
    for wrong in (path, f"{path}?{query[:-1]}0x", f"{path[:-1]}999?{query}", f"{path}?expires=1&signature=x"):
        assert (await guest.read(wrong))[0] == 404
        assert (await guest.send(to_cancellation(wrong), {"client_uuid": "x"}))[0] == 404


async def test_link_ends_a_month_after_departure(hotel, guest, clock):
    _, made = await guest.book(await hotel.room_type(rooms=1), arrives=1, nights=1)

    clock.advance(days=30)
    assert (await guest.read(made["url"]))[0] == 200
    clock.advance(days=3)
    assert (await guest.read(made["url"]))[0] == 404


async def test_same_form_sent_again_books_once(hotel, guest):
    room_type = await hotel.room_type(rooms=3)
    key = str(uuid4())

    first = await guest.book(room_type, client_uuid=key)
    again = await guest.book(room_type, client_uuid=key)

    assert first[0] == again[0] == 201
    assert first[1]["url"].partition("?")[0] == again[1]["url"].partition("?")[0]
    assert (await hotel.get("/stays"))["total"] == 1


async def test_sold_out_room_is_refused_in_words_for_guests(hotel, guest):
    room_type = await hotel.room_type(rooms=1)
    await hotel.stay(room_type, 5, 2)

    status, refusal = await guest.book(room_type)

    assert (status, refusal["reason"]) == (409, "sold_out")
    assert refusal["message"] == "This room is sold out on one of these nights."


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"guest_name": ""}, "guest_name"),
        ({"phone": "1"}, "phone"),
        ({"email": "nobody"}, "email"),
        ({"check_in": "x"}, "check_in"),
        ({"client_uuid": ""}, "client_uuid"),
    ],
)
async def test_wrong_field_is_named(hotel, guest, fields, field):
    status, refusal = await guest.book(await hotel.room_type(rooms=1), **fields)

    assert status == 422, refusal
    assert list(refusal["errors"]) == [field]
    assert (await hotel.get("/stays"))["total"] == 0


async def test_guest_cancels_until_the_day_before_arrival(hotel, guest, next_day):
    room_type = await hotel.room_type(rooms=2)
    _, first = await guest.book(room_type, arrives=2)
    _, second = await guest.book(room_type, arrives=2)

    next_day()
    assert (await guest.send(to_cancellation(first["url"]), {}))[0] == 200
    assert (await guest.send(to_cancellation(first["url"]), {}))[0] == 200
    next_day()
    status, refusal = await guest.send(to_cancellation(second["url"]), {})

    assert (status, refusal["reason"]) == (409, "wrong_status")
    stays = {each["id"]: each for each in (await hotel.get("/stays"))["data"]}
    assert sorted((each["status"], each["cancelled_by"]) for each in stays.values()) == [
        ("cancelled", "customer"),
        ("confirmed", None),
    ]


async def test_pages_of_other_sites_book_nothing(hotel, guest):
    room_type = await hotel.room_type(rooms=1)

    for headers in ({}, {"Origin": "http://evil.example"}, {**OWN_PAGE, "Sec-Fetch-Site": "cross-site"}):
        assert (await guest.book(room_type, headers=headers))[0] == 403
    assert (await hotel.get("/stays"))["total"] == 0


async def test_room_type_of_another_hotel_is_not_found(hotel, guest, other_owner):
    elsewhere = type(hotel)(hotel.client, other_owner, await other_owner.store("hotel"))
    room_type = await elsewhere.room_type(rooms=1)

    assert (await guest.search("", f"/{room_type['id']}"))[0] == 404
    assert (await guest.book(room_type))[0] == 422
    assert (await elsewhere.get("/stays"))["total"] == 0


async def test_other_stores_have_no_rooms(hotel, guest, owner):
    shop = await owner.store("retail")
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", shop)
    room_type = await hotel.room_type(rooms=1)

    assert (await HotelGuest(hotel, slug).search())[0] == 404
    assert (await HotelGuest(hotel, slug).book(room_type))[0] in {404, 409}
    assert (await HotelGuest(hotel, "nowhere").search())[0] == 404
    assert (await HotelGuest(hotel, "nowhere").book(room_type))[0] == 404


async def test_hotel_of_a_suspended_owner_is_not_there(hotel, guest):
    room_type = await hotel.room_type(rooms=2)
    _, made = await guest.book(room_type)
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", hotel.owner.id)

    for path in (f"/s/{guest.slug}/rooms", f"/s/{guest.slug}/rooms/{room_type['id']}", made["url"]):
        assert (await guest.read(path))[0] == 404
    assert (await guest.book(room_type))[0] == 404
    assert (await guest.send(to_cancellation(made["url"]), {}))[0] == 404
    assert await sql.fetch("SELECT status FROM hotel_stay WHERE owner_id = $1", hotel.owner.id) == [("confirmed",)]
