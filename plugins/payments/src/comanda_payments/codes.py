"""Codes of gift cards: 16 characters that nobody mistakes for others, 80 bits of chance."""

import hashlib
import secrets
from typing import Final

# Without I, O, 0 and 1, which look alike on paper.
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 16


def new_code() -> str:
    """Make a code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def normal(text: str) -> str:
    """Read a code as people write it: in any case, with blanks or hyphens between its parts."""
    return "".join(mark for mark in text.upper() if mark not in " -\t\n")


def digest(code: str) -> bytes:
    """Hash a code for keeping. A code has too many possibilities to be found from its hash."""
    return hashlib.sha256(normal(code).encode()).digest()
