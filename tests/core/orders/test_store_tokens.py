"""Tokens of one store have no access to other stores."""

import dataclasses

import pytest
from comanda.basics.errors import NotFound
from comanda.contracts.orders.status import Status
from comanda.devkit.testing.stores import TestStore, line
from comanda.menu import owner_view
from comanda.menu import services as menus
from comanda.orders import queries
from comanda.orders.status import set_status


@pytest.fixture
async def elsewhere(client, owner, store):
    """An item and an order of one store, and a caller of another store of the same owner."""
    other = TestStore(client, owner, await owner.store())
    soup = await other.item()
    return (
        other.id,
        soup["id"],
        (await other.order(line(soup)))["id"],
        dataclasses.replace(owner.caller, store_id=store.id),
    )


async def test_store_token_reads_nothing_of_another_store(elsewhere):
    other_id, item_id, order_id, caller = elsewhere

    for reads in (
        queries.find_order(caller, other_id, order_id),
        menus.get_item(caller, other_id, item_id),
        owner_view.get_owner_menu(caller, other_id),
    ):
        with pytest.raises(NotFound):
            await reads


async def test_store_token_changes_no_order_of_another_store(owner, elsewhere):
    other_id, _, order_id, caller = elsewhere

    with pytest.raises(NotFound):
        await set_status(caller, other_id, order_id, Status.READY)

    assert (await queries.find_order(owner.caller, other_id, order_id)).status is Status.NEW
