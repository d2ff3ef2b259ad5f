"""Limit on failed password logins per e-mail, from any number of client addresses."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import LockoutRules, login_attempts
from comanda.platform.encryption import hmac_digest

from comanda_customers.services.guest_list.identities import Identity
from comanda_customers.services.stores import CustomerStore

PASSWORD_ATTEMPTS: Final = LockoutRules(failures=10, window=timedelta(minutes=15))


async def count_attempt(store: CustomerStore, identity: Identity) -> None:
    """Count an attempt. Raises ``RateLimited`` after too many failures, until their window is over."""
    await login_attempts.count_attempt(store.owner_id, await _hash_identity(store, identity), PASSWORD_ATTEMPTS)


async def delete_attempts(store: CustomerStore, identities: Sequence[Identity]) -> None:
    """Delete the counted attempts, after a successful login or an erasure."""
    await login_attempts.reset_all_attempts(
        store.owner_id, [await _hash_identity(store, identity) for identity in identities]
    )


async def _hash_identity(store: CustomerStore, identity: Identity) -> bytes:
    return await hmac_digest.hmac_digest("customers.password", str(store.id), identity.value)
