"""The number of stores that a plan may limit."""

from comanda.stores.quota import STORES


async def test_stores_of_the_owner_are_counted(owner, other_owner):
    await owner.store()
    await owner.store()
    await other_owner.store()

    assert await STORES.count_used(owner.id) == 2
    assert STORES.is_limit
