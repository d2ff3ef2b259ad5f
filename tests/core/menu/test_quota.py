"""The number of menu items that a plan may limit."""

from comanda.menu.quota import ITEMS


async def test_items_of_all_stores_are_counted(store, open_store, other_owner):
    await store.item()
    await (await open_store("restaurant")).item()

    assert await ITEMS.count_used(store.owner.id) == 2
    assert await ITEMS.count_used(other_owner.id) == 0
    assert ITEMS.is_limit
