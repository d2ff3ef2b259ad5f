"""Limit on failed password logins per e-mail, from any number of client addresses."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import keyed, tries
from comanda.accounts.tries import Rules

from comanda_customers.services.identities import Identity
from comanda_customers.services.stores import CustomerStore

PASSWORD_ATTEMPTS: Final = Rules(failures=10, window=timedelta(minutes=15))


async def count_attempt(store: CustomerStore, identity: Identity) -> None:
    """Count an attempt. Raises ``RateLimited`` after too many failures, until their window is over."""
    await tries.count(store.owner_id, await _hash_identity(store, identity), PASSWORD_ATTEMPTS)


async def delete_attempts(store: CustomerStore, identities: Sequence[Identity]) -> None:
    """Delete the counted attempts, after a successful login or an erasure."""
    await tries.forget_all(store.owner_id, [await _hash_identity(store, identity) for identity in identities])


async def _hash_identity(store: CustomerStore, identity: Identity) -> bytes:
    return await keyed.digest("customers.password", str(store.id), identity.value)
