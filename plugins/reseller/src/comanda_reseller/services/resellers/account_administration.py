"""Administration of resellers by the operator, for the command line; no route offers it."""

from dataclasses import dataclass
from typing import Final

from comanda.accounts import find_owner
from comanda.basics import Conflict, NotFound, ValidationFailed, clock, get_exponent
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_reseller.models import Account, Customer, Interval
from comanda_reseller.services.resellers.brand import set_brand_of_reseller
from comanda_reseller.services.subscriptions.periods import add_periods

SELECT_ACCOUNTS: Final = """
    SELECT a.owner_id, o.email, o.name, a.currency, a.tier_key, a.is_active,
        (SELECT count(*)::int FROM reseller_customer c WHERE c.owner_id = a.owner_id) AS customers_count,
        (SELECT count(*)::int FROM reseller_subscription s
         WHERE s.owner_id = a.owner_id AND s.status <> 'expired') AS subscriptions_count
    FROM reseller_account a JOIN core_owner_v1 o ON o.id = a.owner_id ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class ResellerSummary:
    """A reseller, for the operator of the installation."""

    owner_id: int
    email: str
    name: str
    currency: str
    tier_key: str | None
    is_active: bool
    customers_count: int
    subscriptions_count: int


async def list_resellers() -> list[ResellerSummary]:
    """List every reseller, oldest first."""
    return [sql.to_record(ResellerSummary, row) for row in await sql.fetch(SELECT_ACCOUNTS)]


async def create_reseller(owner_id: int, currency: str | None = None) -> Account:
    """Give an owner account the reseller flag, or give it back; its currency is that of wallets unless one is named.

    Raises ``ValidationFailed`` for an unknown currency, and ``Conflict`` for an account that is a reseller's customer,
    or a reseller already with another currency.
    """
    _check_currency(currency)
    async with sql.transaction():
        if await Customer.filter(customer_owner_id=owner_id).exists():
            raise Conflict("This account is a reseller's customer and cannot be a reseller.")
        account = await Account.get_or_none(owner_id=owner_id)
        if account is None:
            return await _create(owner_id, currency or wallet.get_currency())
        if currency not in (None, account.currency):
            raise Conflict(f"This account is a reseller in {account.currency}, which cannot be changed.")
        account.is_active = True
        await account.save(update_fields=["is_active"])
    return account


async def disable_reseller(owner_id: int) -> None:
    """Take the reseller flag away: its routes answer 403, and subscriptions of its customers go on.

    Raises ``NotFound``.
    """
    if not await Account.filter(owner_id=owner_id).update(is_active=False, updated_at=clock.now()):
        raise NotFound(f"Owner {owner_id} is not a reseller.")


async def set_tier(owner_id: int, key: str | None) -> None:
    """Set the tier of a reseller, or None for that of its number of customers. Raises ``NotFound``."""
    if not await Account.filter(owner_id=owner_id).update(tier_key=key, updated_at=clock.now()):
        raise NotFound(f"Owner {owner_id} is not a reseller.")


async def add_customer(reseller_email: str, customer_email: str) -> Customer:
    """Add an existing owner account as a customer of a reseller.

    Raises ``NotFound`` without such accounts, and ``Conflict`` for an account that is a reseller or has one.
    """
    reseller, customer = await find_owner(reseller_email), await find_owner(customer_email)
    moment = clock.now()
    async with sql.transaction():
        if not await Account.filter(owner_id=reseller.id).exists():
            raise NotFound(f"{reseller_email} is not a reseller.")
        if await Account.filter(owner_id=customer.id).exists():
            raise Conflict(f"{customer_email} is a reseller and cannot be a customer.")
        if await Customer.filter(customer_owner_id=customer.id).exists():
            raise Conflict(f"{customer_email} is a customer of a reseller already.")
        await set_brand_of_reseller([customer.id], reseller.id)
        return await Customer.create(
            owner_id=reseller.id,
            customer_owner_id=customer.id,
            accepted_at=moment,
            created_at=moment,
            updated_at=moment,
        )


async def _create(owner_id: int, currency: str) -> Account:
    moment = clock.now()
    period_end = add_periods(moment, Interval.MONTH, 1)
    return await Account.create(
        owner_id=owner_id,
        currency=currency,
        fee_anchor_at=moment,
        fee_period_start=moment,
        fee_period_end=period_end,
        next_attempt_at=period_end,
        created_at=moment,
        updated_at=moment,
    )


def _check_currency(currency: str | None) -> None:
    try:
        get_exponent(currency or wallet.get_currency())
    except ValueError as error:
        raise ValidationFailed(currency=[str(error)]) from error
