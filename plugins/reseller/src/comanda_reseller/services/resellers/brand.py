"""The brand of a reseller, which pages and e-mails of its customers carry instead of the installation's."""

from collections.abc import Sequence
from typing import Final

from comanda.accounts import set_brand
from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reseller.models import Account, Customer
from comanda_reseller.records.accounts import ResellerBrand
from comanda_reseller.schemas.account import ResellerBrandBody
from comanda_reseller.services.resellers.accounts import require_account

# Locked against a change, which waits and then finds the new customer too.
LOCK_BRAND: Final = "SELECT brand_name, brand_email FROM reseller_account WHERE owner_id = $1 FOR SHARE"


async def get_brand(caller: Caller) -> ResellerBrand:
    """Return the caller's brand. Raises ``Forbidden``."""
    return _to_record(await require_account(caller))


async def update_brand(caller: Caller, body: ResellerBrandBody) -> ResellerBrand:
    """Set the caller's brand, for all of its customers at once. Raises ``Forbidden``."""
    account = await require_account(caller)
    account.brand_name, account.brand_email, account.updated_at = body.name, body.email, clock.now()
    async with sql.transaction():
        await account.save(update_fields=["brand_name", "brand_email", "updated_at"])
        customers = await Customer.filter(owner_id=caller.owner_id)
        await set_brand([each.customer_owner_id for each in customers], body.name, body.email)
    return _to_record(account)


async def set_brand_of_reseller(customer_ids: Sequence[int], reseller_id: int) -> None:
    """Set the brand of new customers to the reseller's, in the open transaction."""
    brand = await sql.one(LOCK_BRAND, reseller_id)
    await set_brand(customer_ids, brand["brand_name"], brand["brand_email"])


def _to_record(account: Account) -> ResellerBrand:
    return ResellerBrand(account.brand_name, account.brand_email)
