"""Sellers and buyers, as an invoice keeps them from the moment at which it is issued."""

from typing import Final

from comanda.platform.db import sql

from comanda_reseller.models import Account, Customer, InvoiceIssuer
from comanda_reseller.records.invoices import Party
from comanda_reseller.settings import get_settings

SELECT_OWNER: Final = "SELECT name, email FROM core_owner_v1 WHERE id = $1"


async def load_parties(issuer: InvoiceIssuer, account: Account, customer_owner_id: int) -> tuple[Party, Party]:
    """Return the seller and the buyer: the reseller and its customer, or the platform and the reseller."""
    reseller = await _load_party(account.owner_id, account)
    if issuer is InvoiceIssuer.PLATFORM:
        return _get_platform(), reseller
    customer = await Customer.get(owner_id=account.owner_id, customer_owner_id=customer_owner_id)
    return reseller, await _load_party(customer_owner_id, customer)


def _get_platform() -> Party:
    settings = get_settings()
    return Party(
        settings.platform_name, settings.platform_email, settings.platform_address, settings.platform_tax_number
    )


async def _load_party(owner_id: int, details: Account | Customer) -> Party:
    owner = await sql.one(SELECT_OWNER, owner_id)
    return Party(details.legal_name or owner["name"], owner["email"], details.address, details.tax_number)
