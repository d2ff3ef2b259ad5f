"""The waitlist: joining, calling, seating and leaving, by several waiters at once."""

import asyncio

from comanda.contracts import DELETED_CUSTOMER, Person
from comanda.platform.db import sql
from comanda_reservations.erasure import ERASER

PHONE = "+351912345678"


async def test_parties_stand_in_line_in_the_order_of_joining(waitlist):
    first, second = await waitlist.add("Ada"), await waitlist.add("Bea", note="Pram")

    assert (first["place"], second["place"], second["status"]) == (1, 2, "waiting")
    assert await waitlist.list_names() == ["Ada", "Bea"]
    assert (await waitlist.act(first, "status", status="left"))["place"] is None
    assert (await waitlist.get(second))["place"] == 1


async def test_waitlist_that_is_off_takes_nobody(waitlist):
    await waitlist.restaurant.update_settings(has_waitlist=False)

    refused = await waitlist.request()

    assert (refused.status, refused["reason"]) == (409, "waitlist_off")
    assert await waitlist.list_names() == []


async def test_line_is_bounded_when_many_join_at_once(waitlist, monkeypatch):
    monkeypatch.setattr("comanda_reservations.services.waitlist.MAX_WAITING", 2)

    replies = await asyncio.gather(*(waitlist.request() for _ in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 201, 409, 409, 409]
    assert len(await waitlist.list_names()) == 2


async def test_repeated_request_adds_one_party(waitlist):
    replies = await asyncio.gather(*(waitlist.request(key="k1") for _ in range(3)))

    assert len({reply["id"] for reply in replies if reply.status == 201}) == 1
    assert len(await waitlist.list_names()) == 1


async def test_party_is_called_by_one_of_two_waiters_and_messaged_once(waitlist):
    party = await waitlist.add(phone=PHONE)

    replies = await asyncio.gather(waitlist.act(party, "call"), waitlist.act(party, "call"))

    assert sorted(reply.status for reply in replies) == [200, 409]
    [refused] = [reply for reply in replies if reply.status == 409]
    assert refused["reason"] == "called_recently"
    [(address, text)] = await waitlist.list_messages()
    assert address == PHONE
    assert f"/reservations/waitlist/{party['id']}?" in text
    called = await waitlist.get(party)
    assert (called["status"], called["calls"], called["messaged_at"]) == ("called", 1, called["called_at"])


async def test_party_is_called_again_after_two_minutes(waitlist, noon):
    party = await waitlist.add(phone=PHONE)
    await waitlist.act(party, "call")
    noon.advance(seconds=119)
    early = await waitlist.act(party, "call")
    noon.advance(seconds=1)

    again = await waitlist.act(party, "call")

    assert (early.status, again.status, again["calls"]) == (409, 200, 2)
    assert len(await waitlist.list_messages()) == 2


async def test_calls_of_a_party_are_bounded(waitlist, monkeypatch, noon):
    monkeypatch.setattr("comanda_reservations.services.waitlist.MAX_CALLS", 1)
    party = await waitlist.add()
    await waitlist.act(party, "call")
    noon.advance(minutes=5)

    refused = await waitlist.act(party, "call")

    assert (refused.status, refused["reason"]) == (409, "called_too_often")


async def test_party_is_seated_by_one_of_two_waiters(waitlist):
    party = await waitlist.add(phone=PHONE, note="Pram")
    await waitlist.restaurant.create_table("2")

    replies = await asyncio.gather(
        waitlist.act(party, "seat", table_numbers=["1"]), waitlist.act(party, "seat", table_numbers=["2"])
    )

    assert sorted(reply.status for reply in replies) == [200, 409]
    seated = await waitlist.get(party)
    [held] = await waitlist.restaurant.list_seatings()
    assert (seated["status"], seated["reservation_id"]) == ("seated", held[0])
    reservation = await waitlist.restaurant.get_reservation({"id": held[0]})
    assert (reservation["status"], reservation["source"], reservation["note"]) == ("seated", "waitlist", "Pram")


async def test_two_parties_do_not_get_one_table(waitlist):
    first, second = await waitlist.add(), await waitlist.add()

    replies = await asyncio.gather(
        waitlist.act(first, "seat", table_numbers=["1"]), waitlist.act(second, "seat", table_numbers=["1"])
    )

    assert sorted(reply.status for reply in replies) == [200, 409]
    assert len(await waitlist.list_names()) == 1
    assert await waitlist.restaurant.count_reservations() == 1


async def test_party_is_seated_outside_hours_at_smallest_table(waitlist):
    await waitlist.restaurant.create_table("2", seats=2)
    await waitlist.restaurant.update_settings(is_accepting=False, min_notice_minutes=60)
    party = await waitlist.add()

    seated = await waitlist.act(party, "seat")

    assert seated.status == 200, seated
    assert [number for _, number in await waitlist.restaurant.list_seatings()] == ["2"]


async def test_status_follows_only_what_was_before(waitlist):
    party = await waitlist.add()

    early = await waitlist.act(party, "status", status="no_show")
    await waitlist.act(party, "call")
    absent = await waitlist.act(party, "status", status="no_show")
    repeated = await waitlist.act(party, "status", status="no_show")
    refused = [await waitlist.act(party, action, **fields) for action, fields in (
        ("call", {}), ("seat", {}), ("status", {"status": "left"})
    )]  # fmt: skip

    assert (early.status, early["reason"]) == (409, "wrong_status")
    assert (absent.status, repeated.status, repeated["status"]) == (200, 200, "no_show")
    assert {(reply.status, reply["reason"]) for reply in refused} == {(409, "wrong_status")}


async def test_events_tell_of_joining_calling_and_seating(waitlist, published):
    party = await waitlist.add()
    await waitlist.act(party, "call")
    await waitlist.act(party, "seat")

    told = [(name, data["status"]) for name, data in await published() if name.startswith("waitlist.")]

    assert told == [("waitlist.joined", "waiting"), ("waitlist.called", "called"), ("waitlist.ended", "seated")]


async def test_erasure_removes_the_guest_and_keeps_the_party(waitlist, owner):
    party, other = await waitlist.add("Zenobia", phone="+351 912 345 678", note="Pram"), await waitlist.add("Bea")
    person = Person(owner.id, waitlist.store.id, 1, frozenset({PHONE}), frozenset(), frozenset())

    async with sql.transaction():
        await ERASER.erase(person)

    erased = await waitlist.get(party)
    assert (erased["guest_name"], erased["phone"], erased["note"]) == (DELETED_CUSTOMER, None, None)
    assert erased["party_size"] == 2
    assert (await waitlist.get(other))["guest_name"] == "Bea"
