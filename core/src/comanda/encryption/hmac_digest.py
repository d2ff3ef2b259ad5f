"""Keyed hashes: what tables hold of codes, PINs and addresses says nothing without this installation's key."""

import hashlib
import hmac
from typing import Final
from weakref import WeakKeyDictionary

from tortoise.context import TortoiseContext, require_context

from comanda import encryption
from comanda.contracts.model_sets import EncryptedColumn
from comanda.db import sql

KEY_COLUMN: Final = EncryptedColumn("core_secret", "key", row_key=("id",))
KEY = "SELECT key FROM core_secret WHERE id = 1"

# A key is made once, with its table, and never changes; so each open database is asked once.
_keys: Final[WeakKeyDictionary[TortoiseContext, bytes]] = WeakKeyDictionary()


async def hmac_digest(*parts: str) -> bytes:
    """Hash texts to 32 bytes, so that only this installation can tell which they were, by trying.

    Begin with a part that says what the hash is for, such as ``"drivers.pin"``: one text then has another hash in every
    use. ``digest("a", "b")`` is none of ``digest("ab")``. HMAC-SHA256 under the key in ``core_secret``.
    """
    return hmac.new(await _key(), b"".join(_framed(part) for part in parts), hashlib.sha256).digest()


def _framed(part: str) -> bytes:
    # With its length before it no text can pretend to be two. Half a surrogate pair is a text too, though no UTF-8.
    encoded = part.encode("utf-8", "surrogatepass")
    return len(encoded).to_bytes(8, "big") + encoded


async def _key() -> bytes:
    context = require_context()
    if context not in _keys:
        _keys[context] = bytes.fromhex(encryption.decrypt(await sql.fetch_value(KEY), KEY_COLUMN, 1))
    return _keys[context]
