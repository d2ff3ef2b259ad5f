"""Lockout after failed logins: stops guessing of one secret, such as one account's password, from any address.

A successful login resets the count; during a lockout even the right secret is not checked.

    key = await hmac_digest("staff.password", email)
    await login_attempts.count_attempt(owner_id, key, RULES)
    check = await passwords.verify_password(password, known_hash)
    if check.is_right:
        await login_attempts.reset_attempts(owner_id, key)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from comanda.basics import clock
from comanda.basics.errors import RateLimited
from comanda.platform.db import sql

# Keeps the counter within its column.
MAX_COUNT = 1_000_000

INCREMENT_ATTEMPTS = f"""
    INSERT INTO core_login_try AS t (owner_id, key_hash, tries, expires_at) VALUES ($1, $2, 1, $4)
    ON CONFLICT (owner_id, key_hash) DO UPDATE
        SET tries = CASE WHEN t.expires_at <= $3 THEN 1 ELSE least(t.tries + 1, {MAX_COUNT}) END,
            expires_at = CASE WHEN t.expires_at <= $3 THEN EXCLUDED.expires_at ELSE t.expires_at END
    RETURNING tries, expires_at
"""
DELETE_ATTEMPTS = "DELETE FROM core_login_try WHERE owner_id = $1 AND key_hash = ANY($2::bytea[])"
DELETE_EXPIRED_ATTEMPTS = "DELETE FROM core_login_try WHERE expires_at <= $1"


@dataclass(frozen=True, slots=True)
class LockoutRules:
    """The failures allowed within a window, which starts with the first of them."""

    failures: int
    window: timedelta


async def count_attempt(owner_id: int, key: bytes, rules: LockoutRules) -> None:
    """Count an attempt. Call it before the secret is checked, so that simultaneous attempts all count.

    ``key`` comes from ``hmac_digest``; ``owner_id`` is 0 if there is no owner yet. Raises ``RateLimited`` after
    ``failures`` attempts, until the window ends. Call it outside a transaction, because a rollback would undo the
    count.
    """
    moment = clock.now()
    row = await sql.one(INCREMENT_ATTEMPTS, owner_id, key, moment, moment + rules.window)
    if row["tries"] > rules.failures:
        raise RateLimited(row["expires_at"] - moment)


async def reset_attempts(owner_id: int, key: bytes) -> None:
    """Reset the count for a key after a success."""
    await reset_all_attempts(owner_id, [key])


async def reset_all_attempts(owner_id: int, keys: Sequence[bytes]) -> None:
    """Reset the counts for several keys."""
    await sql.execute(DELETE_ATTEMPTS, owner_id, list(keys))


async def delete_expired_attempts() -> int:
    """Delete counts whose window is over and return how many."""
    return await sql.execute(DELETE_EXPIRED_ATTEMPTS, clock.now())
