"""Encryption at rest: values of columns that are named in ``ModelSet.encrypted``, each bound to its row.

``encrypt`` and ``decrypt`` are what plugins call. AES-256-GCM with the column and the row's key as associated data, so
that a ciphertext that is copied to another row or column cannot be decrypted there. See ``keys`` for where keys are.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from cryptography.exceptions import InvalidTag

from comanda import runtime
from comanda.contracts.model_sets import EncryptedColumn
from comanda.encryption.keys import KeyRing, load_keys

__all__ = ["PREFIX", "DecryptionFailed", "EncryptedColumn", "decrypt", "encrypt"]

# What every encrypted value begins with; the id of its key follows.
PREFIX: Final = "enc1."
NONCE_BYTES: Final = 12


class DecryptionFailed(Exception):
    """A value is not encrypted, was moved from another row, or its key is missing; the message holds no secret."""


def encrypt(text: str, column: EncryptedColumn, *row: int) -> str:
    """Return ``text`` as it is stored in ``column`` of the row with that primary key, such as ``owner_id, id``."""
    return encrypt_with(load_keys(runtime.settings()), text, column, row)


def decrypt(stored: str, column: EncryptedColumn, *row: int) -> str:
    """Return the text of an encrypted value. Raises ``DecryptionFailed``."""
    return decrypt_with(load_keys(runtime.settings()), stored, column, row)


def encrypt_with(keys: KeyRing, text: str, column: EncryptedColumn, row: tuple[int, ...]) -> str:
    """Encrypt with the current key of a ring."""
    nonce = os.urandom(NONCE_BYTES)
    sealed = keys.current.cipher.encrypt(nonce, text.encode(), column.associated_data(row))
    return f"{PREFIX}{keys.current.id}.{urlsafe_b64encode(nonce + sealed).decode()}"


def decrypt_with(keys: KeyRing, stored: str, column: EncryptedColumn, row: tuple[int, ...]) -> str:
    """Decrypt with whichever key of a ring the value names. Raises ``DecryptionFailed``."""
    place = f"{column.table}.{column.column} of row {row}"
    key_id, _, encoded = stored.removeprefix(PREFIX).partition(".")
    if not stored.startswith(PREFIX) or not encoded:
        raise DecryptionFailed(f"{place} is not encrypted.")
    key = keys.get(key_id)
    if key is None:
        raise DecryptionFailed(f"{place} is encrypted with the key {key_id[:20]}, which is not here.")
    try:
        raw = urlsafe_b64decode(encoded)
        return key.cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], column.associated_data(row)).decode()
    except (InvalidTag, ValueError) as error:
        raise DecryptionFailed(f"{place} cannot be decrypted: it was changed, or belongs to another row.") from error
