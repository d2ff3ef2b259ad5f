"""PIN hashing and weak PIN detection.

A PIN login sends no user name, so a member is looked up by the hash of the PIN: the hash is deterministic per store,
and a unique index on it gives each PIN to one member. It is still slow and keyed: HMAC under the installation's key,
then scrypt with a per-store salt. A stolen table is useless without the key; with both, every guess costs one scrypt
per store, because the same PIN has different hashes in different stores.

Source of the parameters: OWASP Password Storage Cheat Sheet, scrypt, at 16 MiB; RFC 7914.
"""

import asyncio
import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from comanda.platform.encryption import hmac_digest

# Each hash takes a core and 16 MiB of memory, so only this many run at once.
_EXECUTOR: Final = ThreadPoolExecutor(2, thread_name_prefix="pins")
# Popular PINs besides repetitions, sequences and years.
COMMON_PINS: Final = frozenset(
    {"2580", "0852", "1004", "1379", "1397", "2468", "1357", "4711", "147258", "159753", "112358"}
)
DIGIT_SEQUENCES: Final = ("01234567890", "09876543210")


async def hash_pin(store_id: int, pin: str) -> bytes:
    """Return the hash of a store's PIN, 32 bytes; the same PIN of the same store has the same hash."""
    secret = await hmac_digest.hmac_digest("staff.pin", str(store_id), pin)
    salt = await hmac_digest.hmac_digest("staff.pin.salt", str(store_id))
    return await asyncio.get_running_loop().run_in_executor(_EXECUTOR, _derive_hash, secret, salt)


def find_weakness(pin: str) -> str | None:
    """Return a sentence about why a PIN is easily guessed, or None."""
    is_period = any(pin == (pin[:length] * len(pin))[: len(pin)] for length in (1, 2) if len(pin) % length == 0)
    if is_period:
        return "This PIN is a repetition and easy to guess."
    if any(pin in run for run in DIGIT_SEQUENCES):
        return "This PIN is a sequence and easy to guess."
    if re.fullmatch(r"(19|20)[0-9]{2}", pin):
        return "This PIN looks like a year and is easy to guess."
    return "This PIN is very common and easy to guess." if pin in COMMON_PINS else None


def _derive_hash(secret: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(secret, salt=salt, n=2**14, r=8, p=1, maxmem=64 * 2**20, dklen=32)
