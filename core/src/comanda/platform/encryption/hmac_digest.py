"""Keyed hashes of codes, PINs and addresses, which are useless without the key of this installation."""

import hashlib
import hmac
from typing import Final
from weakref import WeakKeyDictionary

from tortoise.context import TortoiseContext, require_context

from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.platform.db import sql
from comanda.platform.encryption.values import decrypt

KEY_COLUMN: Final = EncryptedColumn("core_secret", "key", row_key=("id",))
SELECT_KEY = "SELECT key FROM core_secret WHERE id = 1"

# The key is created once, with its table, and never changes, so it is read once per open database.
_keys: Final[WeakKeyDictionary[TortoiseContext, bytes]] = WeakKeyDictionary()


async def hmac_digest(*parts: str) -> bytes:
    """Return a keyed 32-byte hash of texts; only this installation can test guesses against it.

    The first part states the purpose, such as ``"drivers.pin"``, so that one text has a different hash in each use.
    ``hmac_digest("a", "b")`` differs from ``hmac_digest("ab")``. HMAC-SHA256 with the key in ``core_secret``.
    """
    return hmac.new(await _get_key(), b"".join(_frame(part) for part in parts), hashlib.sha256).digest()


def _frame(part: str) -> bytes:
    # The length prefix keeps parts apart. A lone surrogate is valid text, though not valid UTF-8.
    encoded = part.encode("utf-8", "surrogatepass")
    return len(encoded).to_bytes(8, "big") + encoded


async def _get_key() -> bytes:
    context = require_context()
    if context not in _keys:
        _keys[context] = bytes.fromhex(decrypt(await sql.fetch_value(SELECT_KEY), KEY_COLUMN, 1))
    return _keys[context]
