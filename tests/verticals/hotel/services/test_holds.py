"""Holds and their expiry."""

from comanda_hotel.services import holds

from ..conftest import list_nights


async def test_hold_can_be_confirmed_or_cancelled_only(hotel):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, status="optional")

    for status in ("checked_in", "no_show"):
        assert (await hotel.set(stay, status))["reason"] == "wrong_status"
    confirmed = await hotel.must_set(stay, "confirmed")

    assert confirmed["expires_at"] is None
    assert (await hotel.get("/reservations"))["data"][0]["status"] == "confirmed"


async def test_expired_holds_are_cancelled_and_published(hotel, clock, published):
    double = await hotel.room_type(rooms=3)
    due = await hotel.stay(double, 5, status="optional", room_id=double["rooms"][0]["id"])
    later = await hotel.stay(double, 5, status="optional", expires_at="2027-03-20T00:00:00Z")
    clock.advance(days=2)

    await holds.expire_holds()

    gone = await hotel.look(due)
    assert (gone["status"], gone["cancelled_by"], gone["room_id"]) == ("cancelled", "system", None)
    assert await list_nights(due) == []
    assert (await hotel.look(later))["status"] == "optional"
    cancelled = [data["reservation_id"] for name, data in await published() if name == "reservation.cancelled"]
    assert cancelled == [due["reservation_id"]]
    assert await holds.expire_holds() == 0
