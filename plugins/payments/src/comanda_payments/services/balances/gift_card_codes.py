"""Gift card codes: 16 unambiguous characters, 80 bits of entropy.

Only a hash of a code is stored, but for those that were sold online: their buyer can read them again, and they are
stored encrypted.
"""

import hashlib
import secrets
from typing import Final

from comanda.contracts import EncryptedColumn
from comanda.platform import encryption
from comanda.platform.db import sql

# Without I, O, 0 and 1, which look alike in print.
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 16
# A code is read and typed in groups.
CODE_GROUP: Final = 4
SOLD_CODE_COLUMN: Final = EncryptedColumn("payments_prepayment", "code")
SELECT_SOLD_CODE: Final = "SELECT code FROM payments_prepayment WHERE id = $1 AND owner_id = $2"


def generate_code() -> str:
    """Generate a random code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def normalize_code(text: str) -> str:
    """Return a code in capitals, without the spaces and hyphens that people type."""
    return "".join(mark for mark in text.upper() if mark not in " -\t\n")


def hash_code(code: str) -> bytes:
    """Return the SHA-256 hash of a code for storage. Codes have too much entropy to be guessed from it."""
    return hashlib.sha256(normalize_code(code).encode()).digest()


def group_code(code: str) -> str:
    """Return a code in groups, as people read it."""
    return "-".join(code[start : start + CODE_GROUP] for start in range(0, len(code), CODE_GROUP))


def encrypt_sold_code(code: str, owner_id: int, prepayment_id: int) -> str:
    """Return the code of the card that a prepayment has bought as it is stored."""
    return encryption.encrypt(code, SOLD_CODE_COLUMN, owner_id, prepayment_id)


async def get_sold_code(owner_id: int, prepayment_id: int) -> str | None:
    """Return the code that a prepayment has bought, None before it is paid. Raises ``DecryptionFailed``."""
    stored = await sql.fetch_value(SELECT_SOLD_CODE, prepayment_id, owner_id)
    if stored is None:
        return None
    return group_code(encryption.decrypt(stored, SOLD_CODE_COLUMN, owner_id, prepayment_id))
