"""Keyed hashes: what is in the tables says nothing about codes and addresses without this installation's key."""

import hashlib
import hmac

from comanda.db import sql

from comanda_customers.identities import Identity


class Hasher:
    """Hashes for one store, under the key of the installation."""

    def __init__(self, key: bytes, store_id: int) -> None:
        self._key = key
        self._store_id = store_id

    @classmethod
    async def of(cls, store_id: int) -> "Hasher":
        """Read the key."""
        key: bytes = await sql.fetch_value("SELECT key FROM customers_secret WHERE id = 1")
        return cls(key, store_id)

    def identity(self, identity: Identity) -> bytes:
        """Hash an e-mail address or phone number."""
        return self._hash(identity.kind, identity.value)

    def code(self, identity_hash: bytes, purpose: str, code: str) -> bytes:
        """Hash a code, so that it fits this store, this identity and this purpose alone."""
        return self._hash(identity_hash.hex(), purpose, code)

    def _hash(self, *parts: str) -> bytes:
        # The separator is in none of the parts.
        text = "\0".join([str(self._store_id), *parts])
        return hmac.new(self._key, text.encode(), hashlib.sha256).digest()
