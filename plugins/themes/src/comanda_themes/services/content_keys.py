"""Keys of contents: of one file, and of all files of a theme, which name their owner."""

import hashlib
from collections.abc import Mapping
from typing import Final

from comanda.basics import add_owner_prefix

# 96 bits of SHA-256, in hexadecimal digits.
KEY_DIGITS: Final = 24


def hash_content(content: bytes) -> str:
    """Return the SHA-256 under which a content is stored."""
    return hashlib.sha256(content).hexdigest()


def create_key(owner_id: int, contents: Mapping[str, bytes]) -> str:
    """Return the key of files of an owner; it differs where a path or a content differs."""
    digest = hashlib.sha256()
    for path, content in sorted(contents.items()):
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return add_owner_prefix(owner_id, digest.hexdigest()[:KEY_DIGITS])
