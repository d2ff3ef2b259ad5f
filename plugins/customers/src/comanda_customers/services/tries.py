"""Stops the guessing of one e-mail's password, from however many addresses it comes."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import login_attempts
from comanda.accounts.login_attempts import LockoutRules
from comanda.encryption import hmac_digest

from comanda_customers.identities import Identity
from comanda_customers.services.shops import Shop

RULES: Final = LockoutRules(failures=10, window=timedelta(minutes=15))


async def count(shop: Shop, identity: Identity) -> None:
    """Count a try. Raises ``RateLimited`` after too many failures, until their window is over."""
    await login_attempts.count_attempt(shop.owner_id, await _key(shop, identity), RULES)


async def forget(shop: Shop, identities: Sequence[Identity]) -> None:
    """Begin anew after a success, or leave nothing of somebody who is erased."""
    await login_attempts.reset_all_attempts(shop.owner_id, [await _key(shop, identity) for identity in identities])


async def _key(shop: Shop, identity: Identity) -> bytes:
    return await hmac_digest.hmac_digest("customers.password", str(shop.id), identity.value)
