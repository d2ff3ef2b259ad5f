"""The tiers of resellers, by the number of their customers."""

from comanda.contracts import Caller

from comanda_reseller.models import Account, Customer
from comanda_reseller.records.accounts import Tier
from comanda_reseller.services.resellers.accounts import require_account
from comanda_reseller.settings import TierSetting, get_settings


async def get_tier(caller: Caller) -> Tier:
    """Return the tier of a reseller. Raises ``Forbidden`` unless the caller is one."""
    return await find_tier(await require_account(caller))


async def find_tier(account: Account) -> Tier:
    """Return the tier of a reseller: the one that the operator has set, or that of its customers.

    Suspended customers count too.
    """
    count = await Customer.filter(owner_id=account.owner_id).count()
    tiers = get_settings().tiers
    position = choose_tier(tiers, count, account.tier_key)
    following = tiers[position + 1] if position + 1 < len(tiers) else None
    current = tiers[position]
    return Tier(
        key=current.key,
        name=current.name,
        discount_percent=float(current.discount_percent),
        min_customers=current.min_customers,
        customers=count,
        next_tier=None if following is None else following.key,
        customers_to_next=None if following is None else max(0, following.min_customers - count),
    )


def choose_tier(tiers: list[TierSetting], count: int, key: str | None) -> int:
    """Return the position of a tier by its key, or else of the highest one for a number of customers."""
    for position, tier in enumerate(tiers):
        if tier.key == key:
            return position
    return max(position for position, tier in enumerate(tiers) if tier.min_customers <= count)
