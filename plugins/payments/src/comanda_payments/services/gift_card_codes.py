"""Gift card codes: 16 unambiguous characters, 80 bits of entropy."""

import hashlib
import secrets
from typing import Final

# Without I, O, 0 and 1, which look alike in print.
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 16


def generate_code() -> str:
    """Generate a random code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def normalize_code(text: str) -> str:
    """Return a code in capitals, without the spaces and hyphens that people type."""
    return "".join(mark for mark in text.upper() if mark not in " -\t\n")


def hash_code(code: str) -> bytes:
    """Return the SHA-256 hash of a code for storage. Codes have too much entropy to be guessed from it."""
    return hashlib.sha256(normalize_code(code).encode()).digest()
