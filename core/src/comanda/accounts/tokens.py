"""Access token format: a readable prefix, 40 random characters and a checksum that needs no database."""

import hashlib
import secrets
import string
import zlib

ALPHABET = string.digits + string.ascii_letters
RANDOM_LENGTH = 40
CHECKSUM_LENGTH = 6


def generate_token(prefix: str) -> str:
    """Return a new token such as ``own_…``; it is shown once and stored only as its hash."""
    random = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return prefix + random + _calculate_checksum(prefix + random)


def is_well_formed(token: str, prefix: str) -> bool:
    """Return whether a text has the format of a token, so that typing errors and noise cost no query."""
    body = token[len(prefix) :]
    return (
        token.isascii()
        and token.startswith(prefix)
        and len(body) == RANDOM_LENGTH + CHECKSUM_LENGTH
        and _calculate_checksum(token[:-CHECKSUM_LENGTH]) == token[-CHECKSUM_LENGTH:]
    )


def hash_token(token: str) -> bytes:
    """Return a token's hash for storage and lookup. With 238 random bits, a slow hash would add nothing."""
    return hashlib.sha256(token.encode()).digest()


def _calculate_checksum(text: str) -> str:
    number = zlib.crc32(text.encode())
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
