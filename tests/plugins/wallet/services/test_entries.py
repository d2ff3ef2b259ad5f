"""Sums of charges, by the prefix of their references."""

from comanda_wallet import api
from comanda_wallet.api import EntryKind, Refund


async def test_sum_of_charges_is_less_refunds(wallet, owner, clock):
    await wallet.top_up(1000)
    await wallet.charge(301, "app:7:1")
    clock.advance(days=1)
    moment = clock()
    await wallet.charge(50, "app:7:2", kind=EntryKind.SUBSCRIPTION)
    await wallet.charge(9, "app:70:1")
    await api.refund(owner.id, Refund(EntryKind.USAGE, "app:7:1", "refund", 1))

    assert await api.sum_charges(owner.id, "app:7:") == 350
    assert await api.sum_charges(owner.id, "app:7:", moment) == 50
    assert await api.sum_charges(owner.id, "app:") == 359
    assert await api.sum_charges(owner.id, "nothing") == 0


async def test_charges_of_other_owners_do_not_count(wallet, other_owner):
    await wallet.top_up(1000)
    await wallet.charge(301, "app:7:1")

    assert await api.sum_charges(other_owner.id, "app:") == 0


async def test_entry_is_found_by_kind_and_reference(wallet, owner, other_owner):
    await wallet.top_up(1000)
    entry = await wallet.charge(301, "app:7:1")

    assert await api.find_entry(owner.id, EntryKind.USAGE, "app:7:1") == entry
    assert await api.find_entry(owner.id, EntryKind.SUBSCRIPTION, "app:7:1") is None
    assert await api.find_entry(other_owner.id, EntryKind.USAGE, "app:7:1") is None
