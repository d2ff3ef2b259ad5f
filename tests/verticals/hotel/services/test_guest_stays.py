"""Stays that guests book on the pages of a hotel."""

from datetime import date, timedelta

import pytest
from comanda.basics import NotFound
from comanda.contracts import Caller
from comanda_hotel.services import guest_stays, stays

TODAY = date(2027, 3, 10)


@pytest.fixture
def guest(hotel):
    return Caller("guest", 0, hotel.owner.id, hotel.id, None, frozenset(), None)


async def test_stay_of_another_hotel_cannot_be_cancelled(hotel, guest, other_owner):
    elsewhere = type(hotel)(hotel.client, other_owner, await other_owner.store("hotel"))
    made = await elsewhere.stay(await elsewhere.room_type(rooms=1), 5)

    with pytest.raises(NotFound):
        await guest_stays.cancel_stay(guest, hotel.id, made["id"])
    assert (await elsewhere.look(made))["status"] == "confirmed"


@pytest.mark.parametrize(
    ("status", "days", "can"), [("confirmed", 1, True), ("confirmed", 0, False), ("cancelled", 1, False)]
)
async def test_cancelling_ends_the_day_before_arrival(hotel, guest, status, days, can):
    made = await hotel.stay(await hotel.room_type(rooms=1), days)
    if status == "cancelled":
        await hotel.must_set(made, "cancelled")
    stay = await stays.get_stay(guest, hotel.id, made["id"])

    assert guest_stays.can_cancel(stay, TODAY) is can
    assert not guest_stays.can_cancel(stay, stay.check_in + timedelta(days=1))
