"""The list of reservations, and their status."""

import asyncio

import pytest
from comanda.basics import NotFound
from comanda.contracts import PageRequest
from comanda.stores import SettingsChange
from comanda.stores import services as stores
from comanda_reservations.schemas import ReservationQuery
from comanda_reservations.services import reservations


async def names(restaurant, query=""):
    return [row["guest_name"] for row in (await restaurant.store.get(f"/reservations{query}"))["data"]]


async def test_latest_first_but_ascending_from_a_day(restaurant):
    for name, hours in (("Noon", 24), ("Dinner", 31), ("Today", 6), ("After", 50)):
        await restaurant.create_reservation(hours=hours, guest_name=name)

    assert await names(restaurant) == ["After", "Dinner", "Noon", "Today"]
    assert await names(restaurant, "?on=2027-03-11") == ["Noon", "Dinner"]
    assert await names(restaurant, "?from=2027-03-11") == ["Noon", "Dinner", "After"]
    assert await names(restaurant, "?to=2027-03-11") == ["Dinner", "Noon", "Today"]
    assert await names(restaurant, "?from=2027-03-10&to=2027-03-10") == ["Today"]
    assert await names(restaurant, "?per_page=1&page=2") == ["Dinner"]


async def test_days_are_in_store_timezone(restaurant, owner):
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange(timezone="Pacific/Auckland"))
    await restaurant.create_reservation(hours=-4 / 60, guest_name="After midnight")

    # 11:56 in UTC is 00:56 of the next day in Auckland.
    assert await names(restaurant, "?on=2027-03-11") == ["After midnight"]
    assert await names(restaurant, "?on=2027-03-10") == []


async def test_list_is_filtered_by_status_kind_and_guest(restaurant, create_stay):
    await create_stay()
    ada = await restaurant.create_reservation(guest_name="Ada 100%", phone="+351 912")
    await restaurant.create_reservation(guest_name="Bo 1000", email="bo@example.com")
    await restaurant.update_status(ada, "cancelled")

    assert await names(restaurant, "?kind=stay") == ["Rui Matos"]
    assert await names(restaurant, "?status=cancelled") == ["Ada 100%"]
    assert await names(restaurant, "?status=confirmed&kind=table") == ["Bo 1000"]
    assert await names(restaurant, "?status=checked_in") == []
    assert await names(restaurant, "?search=100%25") == ["Ada 100%"]
    assert await names(restaurant, "?search=BO@") == ["Bo 1000"]
    assert await names(restaurant, "?search=912") == ["Ada 100%"]
    assert await names(restaurant, "?search=") == ["Rui Matos", "Bo 1000", "Ada 100%"]


INVALID_FILTERS = [
    ("?from=2027-03-11&to=2027-03-10", "from"),
    ("?on=2027-03-11&to=2027-03-10", "on"),
    ("?on=0001-01-01", "on"),
    ("?to=9999-12-31", "to"),
    ("?from=yesterday", "from"),
    ("?status=new", "status"),
    ("?kind=room", "kind"),
]


async def test_invalid_filter_returns_422(restaurant, subtests):
    for query, field in INVALID_FILTERS:
        with subtests.test(query=query, field=field):
            reply = await restaurant.store.send("GET", f"/reservations{query}")

            assert list(reply.errors) == [field]


async def test_token_of_other_store_gets_404(restaurant, other_store_caller):
    made = await restaurant.create_reservation()

    with pytest.raises(NotFound):
        await reservations.list_reservations(
            other_store_caller, restaurant.store.id, ReservationQuery(), PageRequest(1, None)
        )
    with pytest.raises(NotFound):
        await reservations.get_reservation(other_store_caller, restaurant.store.id, made["id"])


async def test_concurrent_cancellations_emit_one_event(restaurant, published):
    made = await restaurant.create_reservation()

    replies = await asyncio.gather(*(restaurant.update_status(made, "cancelled") for _ in range(8)))

    assert {reply.status for reply in replies} == {200}
    assert [name for name, _ in await published()] == ["reservation.created", "reservation.cancelled"]


async def test_status_changes_release_table(restaurant, published):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation(status="pending")

    for status in ("confirmed", "seated", "completed"):
        reply = await restaurant.update_status(made, status)
        assert reply.document == {**made, "status": status}

    # Early, too: the table can be had again at once.
    assert (await restaurant.request_reservation()).status == 201
    assert [name for name, _ in await published()] == ["reservation.created"] * 2


@pytest.mark.parametrize(("given", "by"), [({}, "store"), ({"cancelled_by": "customer"}, "customer")])
async def test_cancellation_records_who_and_emits_once(restaurant, published, given, by):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation()

    reply = await restaurant.update_status(made, "cancelled", **given)
    again = await restaurant.update_status(made, "cancelled", cancelled_by="store")

    assert reply.document == {**made, "status": "cancelled", "cancelled_by": by}
    assert again.document == reply.document
    assert await restaurant.list_seatings() == []
    created, cancelled = await published()
    assert cancelled == ("reservation.cancelled", {**created[1], "status": "cancelled"})


async def test_no_show_releases_table_after_start(restaurant, published, noon):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation(hours=1)

    early = await restaurant.update_status(made, "no_show")
    noon.advance(hours=1)
    reply = await restaurant.update_status(made, "no_show")

    assert (early.status, early["message"]) == (409, "This reservation has not started yet.")
    assert reply["status"] == "no_show"
    assert await restaurant.list_seatings() == []
    assert [name for name, _ in await published()] == ["reservation.created"]


@pytest.mark.parametrize(
    ("way", "status"),
    [
        ((), "completed"),
        ((), "pending"),
        (("seated",), "confirmed"),
        (("seated",), "cancelled"),
        (("seated", "completed"), "seated"),
        (("cancelled",), "confirmed"),
        (("cancelled",), "completed"),
    ],
)
async def test_invalid_transition_returns_409(restaurant, published, way, status):
    made = await restaurant.create_reservation()
    for step in way:
        await restaurant.update_status(made, step)
    before, events = await restaurant.get_reservation(made), await published()

    reply = await restaurant.update_status(made, status)

    assert (reply.status, reply["code"], reply["status"]) == (409, "conflict", before["status"])
    assert await restaurant.get_reservation(made) == before
    assert await published() == events
