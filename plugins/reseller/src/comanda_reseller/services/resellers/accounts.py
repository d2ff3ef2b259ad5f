"""Reseller accounts: who may call the routes of resellers, and whose customers they see."""

from comanda.basics import Forbidden, require_found
from comanda.contracts import Caller

from comanda_reseller.models import Account, Customer


async def require_account(caller: Caller) -> Account:
    """Return the caller's reseller account. Raises ``Forbidden`` with the reason ``not_a_reseller``."""
    account = await Account.get_or_none(owner_id=caller.owner_id, is_active=True)
    if account is None:
        raise Forbidden("This account is not a reseller.", extras={"reason": "not_a_reseller"})
    return account


async def require_customer(caller: Caller, customer_id: int) -> Customer:
    """Return a customer of the caller by the id of its account.

    Raises ``Forbidden`` unless the caller is a reseller, ``NotFound`` for an account that is not its customer.
    """
    await require_account(caller)
    return require_found(await Customer.get_or_none(owner_id=caller.owner_id, customer_owner_id=customer_id))
