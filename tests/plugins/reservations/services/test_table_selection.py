"""The tables a party gets, and the errors if there are none."""


async def test_large_party_gets_tables_of_one_area(restaurant):
    await restaurant.create_table("1", 4, area="Room")
    await restaurant.create_table("2", 4, area="Room")
    await restaurant.create_table("T1", 4, area="Terrace")

    made = await restaurant.create_reservation(party_size=7)

    assert made["table_numbers"] == ["1", "2"]
    assert await restaurant.list_seatings() == [(made["id"], "1"), (made["id"], "2")]


async def test_override_takes_no_reserved_table(restaurant):
    await restaurant.create_table("1")
    await restaurant.create_reservation()

    reply = await restaurant.request_reservation(table_numbers=["1"], override=True)

    assert (reply.status, reply["reason"]) == (409, "table_taken")
    assert await restaurant.count_reservations() == 1


INVALID_RESERVATIONS = [
    ({"table_numbers": ["9"]}, "table_numbers", "Table 9 does not exist or is not active."),
    ({"table_numbers": ["old"]}, "table_numbers", "Table old does not exist or is not active."),
    ({"table_numbers": ["1"], "party_size": 5}, "table_numbers", "These tables seat only 4."),
    ({"party_size": 9}, "party_size", "No combination of three tables seats 9. Name the tables to reserve."),
    ({"party_size": 21}, "party_size", "The store accepts parties of up to 20 guests."),
    ({"party_size": 0}, "party_size", "Must be 1 or more."),
    ({"guest_name": " "}, "guest_name", "Must not be blank."),
    ({"email": "ada"}, "email", "Must be an e-mail address."),
    ({"hours": -1}, "starts_at", "Must not be in the past."),
    ({"hours": 24 * 731}, "starts_at", "Must be within the next two years."),
    ({"ends_at": "2027-03-10T18:00:00Z"}, "ends_at", "Must be after starts_at."),
    ({"ends_at": "2027-03-12T18:00:00Z"}, "ends_at", "A reservation lasts at most 24 hours."),
    ({"starts_at": "2027-03-10T18:00:00"}, "starts_at", "This time needs a UTC offset, such as +00:00."),
    ({"status": "seated"}, "status", "Must be one of: pending, confirmed."),
]


async def test_invalid_reservation_returns_422(restaurant, published, subtests):
    await restaurant.create_table("1")
    await restaurant.create_table("old", is_active=False)

    for fields, field, sentence in INVALID_RESERVATIONS:
        with subtests.test(fields=fields, field=field, sentence=sentence):
            reply = await restaurant.request_reservation(**fields)

            assert reply.errors == {field: [sentence]}
            assert await restaurant.count_reservations() == 0
            assert await restaurant.list_seatings() == []
            assert await published() == []


async def test_without_tables_only_capacity_limits(restaurant):
    assert (await restaurant.create_reservation(party_size=12))["table_numbers"] == []
    await restaurant.update_settings(capacity_seats=20)

    has_room, too_many = (
        await restaurant.request_reservation(hours=7, party_size=8),
        await restaurant.request_reservation(hours=7, party_size=1),
    )
    later = await restaurant.request_reservation(hours=8.5, party_size=20)
    named = await restaurant.request_reservation(hours=30, table_numbers=["1"])

    assert (has_room.status, later.status) == (201, 201)
    assert (too_many.status, too_many["reason"]) == (409, "fully_booked")
    assert named.errors == {"table_numbers": ["Table 1 does not exist or is not active."]}
