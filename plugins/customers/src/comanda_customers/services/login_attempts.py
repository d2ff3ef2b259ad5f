"""Stops the guessing of one e-mail's password, from however many addresses it comes."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import keyed, tries
from comanda.accounts.tries import Rules

from comanda_customers.services.identities import Identity
from comanda_customers.services.stores import Shop

RULES: Final = Rules(failures=10, window=timedelta(minutes=15))


async def count(shop: Shop, identity: Identity) -> None:
    """Count a try. Raises ``RateLimited`` after too many failures, until their window is over."""
    await tries.count(shop.owner_id, await _key(shop, identity), RULES)


async def forget(shop: Shop, identities: Sequence[Identity]) -> None:
    """Begin anew after a success, or leave nothing of somebody who is erased."""
    await tries.forget_all(shop.owner_id, [await _key(shop, identity) for identity in identities])


async def _key(shop: Shop, identity: Identity) -> bytes:
    return await keyed.digest("customers.password", str(shop.id), identity.value)
