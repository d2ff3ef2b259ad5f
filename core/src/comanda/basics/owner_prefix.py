"""The owner in front of a random token or a signature, so that what it opens is looked for among that owner's rows.

The prefix is the owner's id in base 62: neither secret nor trusted, since the rest must match too. The rest has a fixed
length, so no separator is needed.
"""

import string
from typing import Final

ALPHABET: Final = string.digits + string.ascii_letters
BASE: Final = len(ALPHABET)
MAX_OWNER_ID: Final = 2**63 - 1
MAX_PREFIX_LENGTH: Final = 11


def add_owner_prefix(owner_id: int, secret: str) -> str:
    """Return the secret with the owner in front of it."""
    prefix = ""
    while owner_id:
        owner_id, digit = divmod(owner_id, BASE)
        prefix = ALPHABET[digit] + prefix
    return prefix + secret


def parse_owner_prefix(text: str, secret_length: int) -> int | None:
    """Return the owner in front of a secret of this length, or None without a valid prefix."""
    prefix = text[:-secret_length]
    if not 1 <= len(prefix) <= MAX_PREFIX_LENGTH or any(each not in ALPHABET for each in prefix):
        return None
    owner_id = 0
    for each in prefix:
        owner_id = owner_id * BASE + ALPHABET.index(each)
    return owner_id if 1 <= owner_id <= MAX_OWNER_ID else None
