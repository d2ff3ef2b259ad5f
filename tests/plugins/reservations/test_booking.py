"""Reserving a table: who gets which, who is refused, and what is told of it."""

import pytest
from comanda.contracts.verticals import Vertical, VerticalGroup
from comanda.db import sql


async def test_a_reservation_holds_the_smallest_table_that_fits_for_a_turn(restaurant, published):
    await restaurant.table("big", 6)
    await restaurant.table("small", 2)

    made = await restaurant.reserve(party_size=2, phone="+351 912 555 101", email="ada@example.com", note="Quiet")

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
    }
    assert await restaurant.shown(made) == made
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


async def test_a_large_party_gets_tables_of_one_area_together(restaurant):
    await restaurant.table("1", 4, area="Room")
    await restaurant.table("2", 4, area="Room")
    await restaurant.table("T1", 4, area="Terrace")

    made = await restaurant.reserve(party_size=7)

    assert made["table_numbers"] == ["1", "2"]
    assert await restaurant.seatings() == [(made["id"], "1"), (made["id"], "2")]


async def test_a_table_is_reserved_once_at_a_time_and_again_when_it_is_free(restaurant, published):
    await restaurant.table("1")
    first = await restaurant.reserve(hours=6)

    full = await restaurant.ask(hours=7)
    named = await restaurant.ask(hours=7, table_numbers=["1"])
    after = await restaurant.reserve(hours=7.5, table_numbers=[1])

    assert (full.status, full["reason"]) == (409, "fully_booked")
    assert full["message"] == "No table for 2 is free at that time."
    assert (named.status, named["reason"], named["table_numbers"]) == (409, "table_taken", ["1"])
    assert await restaurant.count() == 2
    assert await restaurant.seatings() == [(first["id"], "1"), (after["id"], "1")]
    assert len(await published()) == 2


async def test_even_an_override_takes_nobody_s_table(restaurant):
    await restaurant.table("1")
    await restaurant.reserve()

    reply = await restaurant.ask(table_numbers=["1"], override=True)

    assert (reply.status, reply["reason"]) == (409, "table_taken")
    assert await restaurant.count() == 1


async def test_the_database_itself_refuses_a_table_twice(restaurant):
    await restaurant.table("1")
    first, second = await restaurant.reserve(hours=6), await restaurant.reserve(hours=8)

    with pytest.raises(Exception, match="reservations_seating_int8range_tstzrange_excl"):
        await sql.execute(
            """UPDATE reservations_seating SET starts_at = (SELECT starts_at FROM reservations_seating
               WHERE reservation_id = $1) WHERE reservation_id = $2""",
            first["id"],
            second["id"],
        )


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"table_numbers": ["9"]}, "table_numbers", "There is no table 9 in use."),
        ({"table_numbers": ["old"]}, "table_numbers", "There is no table old in use."),
        ({"table_numbers": ["1"], "party_size": 5}, "table_numbers", "These tables seat 4, not 5."),
        ({"party_size": 9}, "party_size", "No table, nor any three together, seat 9. Name the tables."),
        ({"party_size": 21}, "party_size", "The store takes up to 20 guests in a party."),
        ({"party_size": 0}, "party_size", "Must be 1 or more."),
        ({"guest_name": " "}, "guest_name", "Must not be blank."),
        ({"email": "ada"}, "email", "Must be an e-mail address."),
        ({"hours": -1}, "starts_at", "This time has passed."),
        ({"hours": 24 * 731}, "starts_at", "This is more than two years ahead."),
        ({"ends_at": "2027-03-10T18:00:00Z"}, "ends_at", "Must be after starts_at."),
        ({"ends_at": "2027-03-12T18:00:00Z"}, "ends_at", "A table is reserved for 24 hours at the most."),
        ({"starts_at": "2027-03-10T18:00:00"}, "starts_at", "This time needs a UTC offset, such as +00:00."),
        ({"status": "seated"}, "status", "Must be one of: pending, confirmed."),
    ],
)
async def test_what_cannot_be_is_refused_with_a_sentence(restaurant, published, fields, field, sentence):
    await restaurant.table("1")
    await restaurant.table("old", is_active=False)

    reply = await restaurant.ask(**fields)

    assert reply.errors == {field: [sentence]}
    assert await restaurant.count() == 0
    assert await restaurant.seatings() == []
    assert await published() == []


async def test_guests_at_the_door_are_written_down_a_little_later(restaurant):
    made = await restaurant.reserve(hours=-4 / 60)

    assert made["starts_at"] == "2027-03-10T11:56:00+00:00"


async def test_a_store_sets_notice_and_party_and_may_take_nobody(restaurant):
    await restaurant.settings(min_notice_minutes=120, max_party_size=4)

    soon, large = await restaurant.ask(hours=1), await restaurant.ask(party_size=5)
    await restaurant.settings(is_accepting=False)
    closed = await restaurant.ask()
    allowed = await restaurant.ask(hours=1, party_size=5, override=True)

    assert (soon.errors, soon["reason"]) == ({"starts_at": ["The store wants 120 minutes' notice."]}, "too_soon")
    assert large["reason"] == "party_too_large"
    assert (closed.status, closed["reason"]) == (409, "not_accepting")
    assert allowed.status == 201
    assert await restaurant.count() == 1


async def test_without_tables_anybody_fits_unless_seats_are_counted(restaurant):
    assert (await restaurant.reserve(party_size=12))["table_numbers"] == []
    await restaurant.settings(capacity_seats=20)

    fits, too_many = await restaurant.ask(hours=7, party_size=8), await restaurant.ask(hours=7, party_size=1)
    later = await restaurant.ask(hours=8.5, party_size=20)
    named = await restaurant.ask(hours=30, table_numbers=["1"])

    assert (fits.status, later.status) == (201, 201)
    assert (too_many.status, too_many["reason"]) == (409, "fully_booked")
    assert named.errors == {"table_numbers": ["There is no table 1 in use."]}


async def test_a_repeat_of_a_key_gets_the_first_reservation(restaurant, published, noon):
    await restaurant.table("1")
    first = await restaurant.ask(key="abc")
    # Even when it could not be made any more.
    noon.advance(days=2)

    again, other = await restaurant.ask(key="abc"), await restaurant.ask(key="abc", party_size=3)

    assert (again.status, again.document) == (first.status, first.document) == (201, again.document)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotency-mismatch" not in again.headers
    assert other.headers["idempotency-mismatch"] == "true"
    assert other.document == first.document
    assert len(await published()) == await restaurant.count() == 1


async def test_a_key_that_is_none_is_refused(restaurant):
    reply = await restaurant.ask(key="two words")

    assert list(reply.errors) == ["Idempotency-Key"]
    assert await restaurant.count() == 0


async def test_a_refused_request_does_not_use_up_its_key(restaurant):
    await restaurant.table("1", 2)
    refused = await restaurant.ask(key="abc", table_numbers=["2"])

    made = await restaurant.ask(key="abc", table_numbers=["1"])

    assert (refused.status, made.status) == (422, 201)


async def test_a_store_of_a_type_without_tables_takes_none(restaurant, monkeypatch, stay_of):
    parlour = Vertical("restaurant", "Parlour", VerticalGroup.SERVICES, ("reservations",), ("takeaway",))
    monkeypatch.setattr("comanda_reservations.rules.vertical_of", lambda _: parlour)
    await stay_of()

    refused = await restaurant.ask()
    tables = await restaurant.store.send("GET", "/tables")

    assert (refused.status, refused["code"]) == (404, "not_found")
    assert refused["message"] == tables["message"] == "Stores of this type take no reservations of tables."
    # What is listed can be read: stays for one.
    assert await restaurant.count() == 1


async def test_a_pending_reservation_holds_its_table_too(restaurant):
    await restaurant.table("1")
    made = await restaurant.reserve(status="pending", ends_at="2027-03-10T21:00:00Z", source="phone")

    assert (made["status"], made["ends_at"], made["source"]) == ("pending", "2027-03-10T21:00:00+00:00", "phone")
    assert (await restaurant.ask(hours=8)).status == 409
