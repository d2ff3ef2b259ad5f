"""Validation of stays."""

from ..conftest import count_rows, day

NOBODYS = 987_654_321
INVALID_STAYS = [
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
    ({"room_type_id": NOBODYS}, {"room_type_id": [f"This hotel has no room type {NOBODYS}."]}),
    ({"room_id": NOBODYS}, {"room_id": [f"This hotel has no room {NOBODYS}."]}),
    ({"status": "optional", "expires_at": "2027-03-10T11:59:59Z"}, {"expires_at": None}),
    ({"status": "optional", "expires_at": "2027-06-10T12:00:00Z"}, {"expires_at": None}),
]


async def test_invalid_stay_is_refused_by_field(hotel, owner, published, subtests):
    double = await hotel.room_type(rooms=1)

    for fields, errors in INVALID_STAYS:
        with subtests.test(fields=fields, errors=errors):
            reply = await hotel.book(double, **fields)

            assert reply.errors.keys() == errors.keys()
            assert all(errors[field] in (None, told) for field, told in reply.errors.items())
            assert [await count_rows(f"hotel_{table}", owner) for table in ("stay", "room_night")] == [0, 0]
            assert await count_rows("reservations_reservation", owner) == 0
            assert await published() == []
