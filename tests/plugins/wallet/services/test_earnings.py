"""Earnings of developers."""

from types import SimpleNamespace

from comanda.contracts import PageRequest
from comanda_wallet.services.earnings import get_earnings, list_shares


async def test_shares_of_charges_are_earned(wallet, other_owner):
    await wallet.top_up(1000)
    await wallet.charge(100, payee=other_owner, share=80)
    await wallet.charge(50, payee=other_owner, share=40)

    earnings = await get_earnings(other_owner.id)
    page = await list_shares(SimpleNamespace(owner_id=other_owner.id), PageRequest(1, 1))

    assert (earnings.balance_minor, earnings.earned_minor, earnings.refunded_minor) == (120, 120, 0)
    assert [share.amount.minor for share in page.data] == [40]


async def test_owner_who_paid_has_earned_nothing(wallet, other_owner):
    await wallet.top_up(1000)
    await wallet.charge(100, payee=other_owner, share=80)

    assert (await get_earnings(wallet.owner.id)).balance_minor == 0
