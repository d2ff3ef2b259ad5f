"""The form of access tokens: a readable prefix, 40 random characters, and a checksum that needs no database."""

import hashlib
import secrets
import string
import zlib

ALPHABET = string.digits + string.ascii_letters
RANDOM_LENGTH = 40
CHECKSUM_LENGTH = 6


def generate(prefix: str) -> str:
    """Make a token such as ``own_…``; it is shown once and stored only as its hash."""
    random = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return prefix + random + _checksum(prefix + random)


def is_well_formed(token: str, prefix: str) -> bool:
    """Tell whether ``token`` has the form of one of ours, so that typing errors and noise cost no query."""
    body = token[len(prefix) :]
    return (
        token.isascii()
        and token.startswith(prefix)
        and len(body) == RANDOM_LENGTH + CHECKSUM_LENGTH
        and _checksum(token[:-CHECKSUM_LENGTH]) == token[-CHECKSUM_LENGTH:]
    )


def digest(token: str) -> bytes:
    """Hash a token for storage and lookup. A token has 238 bits of randomness, so a slow hash would add nothing."""
    return hashlib.sha256(token.encode()).digest()


def _checksum(text: str) -> str:
    number = zlib.crc32(text.encode())
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
