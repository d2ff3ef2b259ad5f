"""The list of a store's reservations, of tables and stays."""

import pytest
from comanda.contracts.paging import PageRequest
from comanda.errors import NotFound
from comanda.stores import services as stores
from comanda.stores.schemas import SettingsChange
from comanda_reservations import services
from comanda_reservations.schemas import ReservationQuery


async def names(restaurant, query=""):
    return [row["guest_name"] for row in (await restaurant.store.get(f"/reservations{query}"))["data"]]


async def test_the_latest_comes_first_and_a_day_is_read_from_its_beginning(restaurant):
    for name, hours in (("Noon", 24), ("Dinner", 31), ("Today", 6), ("After", 50)):
        await restaurant.reserve(hours=hours, guest_name=name)

    assert await names(restaurant) == ["After", "Dinner", "Noon", "Today"]
    assert await names(restaurant, "?on=2027-03-11") == ["Noon", "Dinner"]
    assert await names(restaurant, "?from=2027-03-11") == ["Noon", "Dinner", "After"]
    assert await names(restaurant, "?to=2027-03-11") == ["Dinner", "Noon", "Today"]
    assert await names(restaurant, "?from=2027-03-10&to=2027-03-10") == ["Today"]
    assert await names(restaurant, "?per_page=1&page=2") == ["Dinner"]


async def test_days_are_those_of_the_store(restaurant, owner):
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange(timezone="Pacific/Auckland"))
    await restaurant.reserve(hours=-4 / 60, guest_name="After midnight")

    # 11:56 in UTC is 00:56 of the next day in Auckland.
    assert await names(restaurant, "?on=2027-03-11") == ["After midnight"]
    assert await names(restaurant, "?on=2027-03-10") == []


async def test_it_is_narrowed_by_status_kind_and_guest(restaurant, stay_of):
    await stay_of()
    ada = await restaurant.reserve(guest_name="Ada 100%", phone="+351 912")
    await restaurant.reserve(guest_name="Bo 1000", email="bo@example.com")
    await restaurant.set_status(ada, "cancelled")

    assert await names(restaurant, "?kind=stay") == ["Rui Matos"]
    assert await names(restaurant, "?status=cancelled") == ["Ada 100%"]
    assert await names(restaurant, "?status=confirmed&kind=table") == ["Bo 1000"]
    assert await names(restaurant, "?status=checked_in") == []
    assert await names(restaurant, "?search=100%25") == ["Ada 100%"]
    assert await names(restaurant, "?search=BO@") == ["Bo 1000"]
    assert await names(restaurant, "?search=912") == ["Ada 100%"]
    assert await names(restaurant, "?search=") == ["Rui Matos", "Bo 1000", "Ada 100%"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?from=2027-03-11&to=2027-03-10", "from"),
        ("?on=2027-03-11&to=2027-03-10", "on"),
        ("?on=0001-01-01", "on"),
        ("?to=9999-12-31", "to"),
        ("?from=yesterday", "from"),
        ("?status=new", "status"),
        ("?kind=room", "kind"),
    ],
)
async def test_a_query_that_is_none_is_refused(restaurant, query, field):
    reply = await restaurant.store.send("GET", f"/reservations{query}")

    assert list(reply.errors) == [field]


async def test_a_token_of_another_store_sees_nothing(restaurant, of_another_store):
    made = await restaurant.reserve()

    with pytest.raises(NotFound):
        await services.page_of_reservations(
            of_another_store, restaurant.store.id, ReservationQuery(), PageRequest(1, None)
        )
    with pytest.raises(NotFound):
        await services.reservation(of_another_store, restaurant.store.id, made["id"])
