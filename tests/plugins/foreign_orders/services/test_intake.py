"""Orders are taken, or refused with a reason."""

from comanda_foreign_orders.api import ForeignId, InvalidOrder, take_order
from comanda_hubrise.participant import CHANNEL


def refuse(_currency):
    raise InvalidOrder("x" * 999)


async def test_reason_fits_into_its_column(store):
    reason = await take_order(CHANNEL, ForeignId(store.owner.id, store.id, 1, "o1"), refuse)

    assert reason == "x" * 500


async def test_store_of_another_owner_takes_no_orders(store, other_owner):
    reason = await take_order(CHANNEL, ForeignId(other_owner.id, store.id, 1, "o1"), refuse)

    assert reason == "The store takes no orders."
    assert await store.count_orders() == 0
