"""Password rules and hashes. Hashing runs in its own threads.

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

from comanda.basics.errors import ValidationFailed
from comanda.basics.sentences import Sentence

MIN_LENGTH, MAX_LENGTH = 8, 128
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Limited, because each hash takes a core and its memory.
_THREADS: Final = ThreadPoolExecutor(4, thread_name_prefix="argon2")


@dataclass(frozen=True, slots=True)
class PasswordCheck:
    """The result of a password check; ``new_hash`` replaces the stored one if the parameters have changed since."""

    is_right: bool
    new_hash: str | None = None


def check_password(password: str, email: str | None, *, refuse_common: bool = False) -> None:
    """Raise ``ValidationFailed`` for a password that is too short, too long or the e-mail address itself.

    With ``refuse_common`` the most common passwords are refused too.
    """
    text = _normalize(password)
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        raise ValidationFailed(
            password=[Sentence("Must have %(least)s to %(limit)s characters.", least=MIN_LENGTH, limit=MAX_LENGTH)]
        )
    if email is not None and text.casefold() == email:
        raise ValidationFailed(password=[Sentence("Must not be the e-mail address.")])
    if refuse_common and text.casefold() in _load_common_passwords():
        raise ValidationFailed(password=[Sentence("This is one of the most common passwords. Choose another.")])


async def hash_password(password: str) -> str:
    """Return the argon2id hash of a password."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _HASHER.hash, _normalize(password))


async def verify_password(password: str, known_hash: str | None) -> PasswordCheck:
    """Check a password. Without a hash the answer is wrong after the same time."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _verify, _normalize(password), known_hash)


def _verify(password: str, known_hash: str | None) -> PasswordCheck:
    try:
        _HASHER.verify(known_hash or _get_dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return PasswordCheck(is_right=False)
    if not known_hash:
        return PasswordCheck(is_right=False)
    return PasswordCheck(
        is_right=True, new_hash=_HASHER.hash(password) if _HASHER.check_needs_rehash(known_hash) else None
    )


def _normalize(password: str) -> str:
    # Keyboards and systems write one character in several ways; NIST SP 800-63B asks to compare them in one.
    return unicodedata.normalize("NFKC", password)


@cache
def _load_common_passwords() -> frozenset[str]:
    return frozenset(resources.files("comanda.accounts").joinpath("common_passwords.txt").read_text("utf-8").split())


@cache
def _get_dummy_hash() -> str:
    """Return a hash to check against if there is none, so that timing does not reveal which accounts exist."""
    return _HASHER.hash("nobody's password")
