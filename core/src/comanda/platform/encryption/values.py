"""Encryption at rest of the columns in ``ModelSet.encrypted``; each value is bound to its row.

Plugins call ``encrypt`` and ``decrypt``. AES-256-GCM with the column and the primary key of the row as associated data,
so that a ciphertext copied to another row or column cannot be decrypted. ``keys`` says where keys are stored.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from cryptography.exceptions import InvalidTag

from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.platform import runtime
from comanda.platform.encryption.keys import Keyring, load_keys

# The prefix of every encrypted value; the id of its key follows.
PREFIX: Final = "enc1."
NONCE_BYTES: Final = 12


class DecryptionFailed(Exception):
    """A value is not encrypted, belongs to another row, or its key is missing; the message contains no secret."""


def encrypt(text: str, column: EncryptedColumn, *row: int) -> str:
    """Return ``text`` encrypted for ``column`` of the row with this primary key, such as ``owner_id, id``."""
    return encrypt_with(load_keys(runtime.settings()), text, column, row)


def decrypt(stored: str, column: EncryptedColumn, *row: int) -> str:
    """Return the text of an encrypted value. Raises ``DecryptionFailed``."""
    return decrypt_with(load_keys(runtime.settings()), stored, column, row)


def encrypt_with(keys: Keyring, text: str, column: EncryptedColumn, row: tuple[int, ...]) -> str:
    """Encrypt with the current key of a ring."""
    nonce = os.urandom(NONCE_BYTES)
    sealed = keys.current.cipher.encrypt(nonce, text.encode(), column.associated_data(row))
    return f"{PREFIX}{keys.current.id}.{urlsafe_b64encode(nonce + sealed).decode()}"


def decrypt_with(keys: Keyring, stored: str, column: EncryptedColumn, row: tuple[int, ...]) -> str:
    """Decrypt with the key of a ring that the value names. Raises ``DecryptionFailed``."""
    place = f"{column.table}.{column.column} of row {row}"
    key_id, _, encoded = stored.removeprefix(PREFIX).partition(".")
    if not stored.startswith(PREFIX) or not encoded:
        raise DecryptionFailed(f"{place} is not encrypted.")
    key = keys.get(key_id)
    if key is None:
        raise DecryptionFailed(f"{place} is encrypted with the key {key_id[:20]}, which is not available.")
    try:
        raw = urlsafe_b64decode(encoded)
        return key.cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], column.associated_data(row)).decode()
    except (InvalidTag, ValueError) as error:
        raise DecryptionFailed(f"{place} cannot be decrypted: it was changed, or belongs to another row.") from error
