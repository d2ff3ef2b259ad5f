"""Tables that guests reserve, and the links to their reservations."""

import pytest
from comanda.basics import NotFound
from comanda.contracts import Caller
from comanda_reservations.services import guest_reservations, reservations


@pytest.fixture
def guest(restaurant):
    store = restaurant.store
    return Caller("guest", 0, store.owner.id, store.id, None, frozenset(), None)


async def test_link_leads_to_the_reservation_it_was_made_for(restaurant, guest):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation()
    reserved = await reservations.get_reservation(guest, restaurant.store.id, made["id"])

    path = await guest_reservations.create_link(guest.owner_id, reserved)

    start, _, query = path.partition("?")
    values = dict(part.split("=") for part in query.split("&"))
    assert start == f"/reservations/{made['id']}"
    assert await guest_reservations.find_store(made["id"], **values) == (guest.owner_id, restaurant.store.id)
    with pytest.raises(NotFound):
        await guest_reservations.find_store(made["id"] + 1, **values)


async def test_cancelling_ends_when_the_reservation_begins(restaurant, guest):
    await restaurant.create_table("1")
    made = await restaurant.create_reservation()
    reserved = await reservations.get_reservation(guest, restaurant.store.id, made["id"])

    assert guest_reservations.can_cancel(reserved, reserved.created_at)
    assert not guest_reservations.can_cancel(reserved, reserved.starts_at)
