"""Stops the guessing of one secret, such as the password of one e-mail, from however many addresses it comes.

A success makes up for the failures before it; a right secret within a refused window is not even looked at.

    key = await keyed.digest("staff.password", email)
    await tries.count(owner_id, key, RULES)
    verdict = await passwords.verify(password, known_hash)
    if verdict.is_right:
        await tries.forget(owner_id, key)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from comanda import clock
from comanda.db import sql
from comanda.errors import RateLimited

# What is counted further than this is counted enough.
MAX_COUNT = 1_000_000

COUNT = f"""
    INSERT INTO core_login_try AS t (owner_id, key_hash, tries, expires_at) VALUES ($1, $2, 1, $4)
    ON CONFLICT (owner_id, key_hash) DO UPDATE
        SET tries = CASE WHEN t.expires_at <= $3 THEN 1 ELSE least(t.tries + 1, {MAX_COUNT}) END,
            expires_at = CASE WHEN t.expires_at <= $3 THEN EXCLUDED.expires_at ELSE t.expires_at END
    RETURNING tries, expires_at
"""
FORGET = "DELETE FROM core_login_try WHERE owner_id = $1 AND key_hash = ANY($2::bytea[])"
PRUNE = "DELETE FROM core_login_try WHERE expires_at <= $1"


@dataclass(frozen=True, slots=True)
class LockoutRules:
    """How many failures there may be within a window, which begins with the first of them."""

    failures: int
    window: timedelta


async def count_attempt(owner_id: int, key: bytes, rules: LockoutRules) -> None:
    """Count a try, before the secret is looked at, so that many at the same moment are not all the first one.

    ``key`` comes from ``hmac_digest``; ``owner_id`` 0 is for what is of no owner yet. Raises ``RateLimited`` after
    ``failures`` within the window, until that is over. Call it outside of a transaction: what is rolled back was never
    counted.
    """
    moment = clock.now()
    row = await sql.fetch_one(COUNT, owner_id, key, moment, moment + rules.window)
    if row is not None and row["tries"] > rules.failures:
        raise RateLimited(int((row["expires_at"] - moment).total_seconds()) + 1)


async def reset_attempts(owner_id: int, key: bytes) -> None:
    """Begin anew after a success."""
    await reset_all_attempts(owner_id, [key])


async def reset_all_attempts(owner_id: int, keys: Sequence[bytes]) -> None:
    """Forget the tries for several keys."""
    await sql.execute(FORGET, owner_id, list(keys))


async def prune() -> int:
    """Delete tries whose window is over; return how many rows."""
    return await sql.execute(PRUNE, clock.now())
