"""PINs: how they are kept so that one is found by itself, and which of them are guessed first.

Whoever types a PIN says nothing else, so the store must be able to find the member by it: the hash has to be the same
each time, and a unique index on it keeps two members from having one PIN. It is slow all the same, and keyed: HMAC
under the installation's key, then scrypt with a salt of the store's own. Whoever steals the table without the key
tries nothing, whoever has both pays the price of scrypt for every PIN of every store, and no two stores' hashes agree.

Source of the parameters: OWASP Password Storage Cheat Sheet, scrypt, at 16 MiB; RFC 7914.
"""

import asyncio
import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from comanda.encryption import hmac_digest

FORM: Final = re.compile(r"[0-9]{4,8}")
# So many at once and no more: each takes a core and its memory.
_THREADS: Final = ThreadPoolExecutor(2, thread_name_prefix="pins")
# What people choose first, beside repetitions, runs and years.
POPULAR: Final = frozenset(
    {"2580", "0852", "1004", "1379", "1397", "2468", "1357", "4711", "147258", "159753", "112358"}
)
RUNS: Final = ("01234567890", "09876543210")


async def hash_of(store_id: int, pin: str) -> bytes:
    """Hash a PIN of a store, 32 bytes; the same PIN of the same store has the same hash."""
    secret = await hmac_digest.hmac_digest("staff.pin", str(store_id), pin)
    salt = await hmac_digest.hmac_digest("staff.pin.salt", str(store_id))
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _slow, secret, salt)


def weakness(pin: str) -> str | None:
    """Say why a PIN is easily guessed, or None."""
    is_period = any(pin == (pin[:length] * len(pin))[: len(pin)] for length in (1, 2) if len(pin) % length == 0)
    if is_period:
        return "This PIN repeats itself, which is guessed first."
    if any(pin in run for run in RUNS):
        return "This PIN counts up or down, which is guessed first."
    if re.fullmatch(r"(19|20)[0-9]{2}", pin):
        return "This PIN looks like a year, which is guessed first."
    return "This PIN is one of the most popular, which are guessed first." if pin in POPULAR else None


def _slow(secret: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(secret, salt=salt, n=2**14, r=8, p=1, maxmem=64 * 2**20, dklen=32)
