"""Passwords: what may be one, and their hashes, which are made in threads of their own.

Source of the parameters: OWASP Password Storage Cheat Sheet, argon2id with 19 MiB, two passes, one lane.
"""

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from comanda.errors import ValidationFailed

SHORTEST, LONGEST = 8, 128
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# So many at once and no more: each takes a core and its memory.
_THREADS: Final = ThreadPoolExecutor(4, thread_name_prefix="argon2")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a password is right, and the hash to keep from now on if the parameters have changed since."""

    is_right: bool
    new_hash: str | None = None


def check_password(password: str, email: str | None, *, refuse_common: bool = False) -> None:
    """Raise ``ValidationFailed`` for what may be no password: any characters will do, but not the e-mail.

    ``refuse_common`` refuses what guessing begins with too, as for owners and staff.
    """
    text = _normal(password)
    if not SHORTEST <= len(text) <= LONGEST:
        raise ValidationFailed(password=[f"Must have {SHORTEST} to {LONGEST} characters."])
    if email is not None and text.casefold() == email:
        raise ValidationFailed(password=["Must not be the e-mail address."])
    if refuse_common and text.casefold() in _common():
        raise ValidationFailed(password=["This is one of the most common passwords. Choose another."])


async def hash_password(password: str) -> str:
    """Hash a password."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _HASHER.hash, _normal(password))


async def verify_password(password: str, known_hash: str | None) -> Verdict:
    """Check a password; without a hash it takes as long and is wrong."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _verify, _normal(password), known_hash)


def _verify(password: str, known_hash: str | None) -> Verdict:
    try:
        _HASHER.verify(known_hash or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return Verdict(is_right=False)
    if not known_hash:
        return Verdict(is_right=False)
    return Verdict(is_right=True, new_hash=_HASHER.hash(password) if _HASHER.check_needs_rehash(known_hash) else None)


def _normal(password: str) -> str:
    # Keyboards and systems write one character in several ways; NIST SP 800-63B asks to compare them in one.
    return unicodedata.normalize("NFKC", password)


@cache
def _common() -> frozenset[str]:
    return frozenset(resources.files("comanda.accounts").joinpath("common_passwords.txt").read_text("utf-8").split())


@cache
def _nobodys() -> str:
    """Make what is checked where there is no hash to check, so that the time tells nothing about who is known."""
    return _HASHER.hash("nobody's password")
