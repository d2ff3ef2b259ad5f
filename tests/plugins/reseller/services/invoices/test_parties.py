"""Sellers and buyers of invoices."""

from comanda_reseller.models import Account, InvoiceIssuer
from comanda_reseller.services.invoices.parties import load_parties
from comanda_reseller.settings import get_settings


async def test_reseller_sells_to_its_customer(reseller):
    customer = await reseller.customer(legal_name="Casa Ana, Lda.")
    account = await Account.get(owner_id=reseller.owner.id)

    seller, buyer = await load_parties(InvoiceIssuer.RESELLER, account, customer.id)

    assert seller.email == reseller.owner.email
    assert (buyer.name, buyer.email) == ("Casa Ana, Lda.", customer.email)


async def test_platform_sells_to_the_reseller(reseller, monkeypatch):
    monkeypatch.setattr(get_settings(), "platform_name", "Platform Ltd")
    account = await Account.get(owner_id=reseller.owner.id)

    seller, buyer = await load_parties(InvoiceIssuer.PLATFORM, account, reseller.owner.id)

    assert (seller.name, buyer.email) == ("Platform Ltd", reseller.owner.email)
