"""Lockout of PIN logins, per device and per store.

Devices that are not enrolled share one counter per store, because a client can send any device identifier. An enrolled
device has counters of its own, so unknown devices cannot lock it out and it cannot lock out others.

An attempt is counted before the PIN is checked, so that concurrent attempts are each counted, and the count is undone
when the PIN was correct: thirty employees starting a shift are not an attack. The lockout starts with the failed
attempt that reaches the limit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed, clock
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest
from comanda_notifications.api import send_template

from comanda_staff.message_templates import PIN_PAUSED
from comanda_staff.models import EnrolledDevice
from comanda_staff.services.stores import StaffStore

log = structlog.get_logger(__name__)

# An expired lock or window starts a new count; attempts during a lock do not extend it.
COUNT_ATTEMPT = """
    INSERT INTO staff_pin_try AS t (owner_id, store_id, key_hash, tries, since) VALUES ($1, $2, $3, 1, $4)
    ON CONFLICT (owner_id, store_id, key_hash) DO UPDATE SET
        tries = CASE WHEN t.locked_until > $4 THEN t.tries
            WHEN t.locked_until IS NOT NULL OR t.since <= $5 THEN 1 ELSE least(t.tries + 1, 1000000) END,
        since = CASE WHEN t.locked_until > $4 THEN t.since
            WHEN t.locked_until IS NOT NULL OR t.since <= $5 THEN $4 ELSE t.since END,
        locked_until = CASE WHEN t.locked_until > $4 THEN t.locked_until END
    RETURNING tries, since, locked_until
"""
LOCK_KEY = """
    UPDATE staff_pin_try SET locked_until = greatest(since + $5::interval, $6::timestamptz)
    WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3 AND tries >= $4 AND locked_until IS NULL
    RETURNING locked_until
"""
DECREMENT_ATTEMPTS = """
    UPDATE staff_pin_try SET tries = greatest(tries - 1, 0)
    WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3 AND locked_until IS NULL
"""
DELETE_ATTEMPTS = "DELETE FROM staff_pin_try WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3"
SELECT_OWNER = "SELECT name, email FROM core_owner_v1 WHERE id = $1"
DELETE_EXPIRED_ATTEMPTS = "DELETE FROM staff_pin_try WHERE since < $1 AND (locked_until IS NULL OR locked_until < $1)"


@dataclass(frozen=True, slots=True)
class LockoutPolicy:
    """How many wrong PINs within ``window`` start a lock; it lasts ``lock``, or until the window ends if later."""

    failures: int
    window: timedelta
    lock: timedelta


DEVICE_POLICY: Final = LockoutPolicy(5, timedelta(minutes=15), timedelta(minutes=15))
STORE_POLICY: Final = LockoutPolicy(30, timedelta(hours=1), timedelta(minutes=15))
# A stolen device gives an attacker time, so its window is a day.
ENROLLED_DEVICE_POLICY: Final = LockoutPolicy(50, timedelta(days=1), timedelta(minutes=15))


@dataclass(frozen=True, slots=True)
class PinLockout:
    """Counts the attempts of one device, per device and against a shared counter.

    The shared counter is the store's, or for an enrolled device its own daily counter.
    """

    store: StaffStore
    device_key: bytes
    shared_key: bytes
    shared_policy: LockoutPolicy

    @classmethod
    async def for_device(cls, store: StaffStore, device: str, enrolled: EnrolledDevice | None) -> "PinLockout":
        """Create the lockout of an enrolled device, or of one known only by the identifier it sends."""
        store_id = str(store.id)
        if enrolled is None:
            device_key = await hmac_digest.hmac_digest("staff.pin.device", store_id, device)
            return cls(store, device_key, await hmac_digest.hmac_digest("staff.pin.store", store_id), STORE_POLICY)
        device_parts = (store_id, str(enrolled.id))
        device_key = await hmac_digest.hmac_digest("staff.pin.enrolled", *device_parts)
        return cls(
            store,
            device_key,
            await hmac_digest.hmac_digest("staff.pin.enrolled.day", *device_parts),
            ENROLLED_DEVICE_POLICY,
        )

    async def count_attempt(self) -> None:
        """Count an attempt. Raises ``RateLimited`` while the device or its shared counter is locked."""
        await self._count_key(self.shared_key, self.shared_policy)
        try:
            await self._count_key(self.device_key, DEVICE_POLICY)
        except RateLimited:
            # Attempts of a locked device do not count for the store: one device must not lock out all others.
            await self._execute(DECREMENT_ATTEMPTS, self.shared_key)
            raise

    async def record_failure(self) -> None:
        """Start a lock where the limit is reached. The owner is notified once when the store's is."""
        await self._lock_key(self.device_key, DEVICE_POLICY)
        async with sql.transaction():
            until = await self._lock_key(self.shared_key, self.shared_policy)
            if until is not None and self.shared_policy is STORE_POLICY:
                await self._notify_owner(until)
            elif until is not None:
                log.warning("staff_enrolled_device_locked", owner_id=self.store.owner_id, store_id=self.store.id)

    async def record_success(self) -> None:
        """Delete the device's count and undo the shared one, in the open transaction."""
        await self._execute(DELETE_ATTEMPTS, self.device_key)
        await self._execute(DECREMENT_ATTEMPTS, self.shared_key)

    async def _count_key(self, key: bytes, policy: LockoutPolicy) -> None:
        moment = clock.now()
        row = await sql.one(COUNT_ATTEMPT, self.store.owner_id, self.store.id, key, moment, moment - policy.window)
        if row["locked_until"] is not None:
            raise RateLimited(row["locked_until"] - moment)
        if row["tries"] > policy.failures:
            # Other requests are checking as many PINs as may be wrong, or their process was killed while doing so.
            raise RateLimited(row["since"] + policy.window - moment)

    async def _lock_key(self, key: bytes, policy: LockoutPolicy) -> datetime | None:
        values = (self.store.owner_id, self.store.id, key, policy.failures, policy.window, clock.now() + policy.lock)
        until: datetime | None = await sql.fetch_value(LOCK_KEY, *values)
        return until

    async def _execute(self, statement: str, key: bytes) -> None:
        await sql.execute(statement, self.store.owner_id, self.store.id, key)

    async def _notify_owner(self, until: datetime) -> None:
        owner_id = self.store.owner_id
        owner = await sql.one(SELECT_OWNER, owner_id)
        values = {"name": owner["name"], "store": self.store.title, "count": STORE_POLICY.failures}
        log.warning("staff_pin_login_paused", owner_id=owner_id, store_id=self.store.id, until=until.isoformat())
        try:
            await send_template(
                PIN_PAUSED.name,
                to=owner["email"],
                channel="email",
                values={**values, "until": f"{until:%Y-%m-%d %H:%M}"},
                owner_id=owner_id,
                store_id=self.store.id,
            )
        except (RateLimited, ValidationFailed) as error:
            # The lock must hold even if the notice cannot be sent.
            log.warning("staff_notice_not_sent", owner_id=owner_id, store_id=self.store.id, error=str(error))


async def delete_expired_attempts() -> None:
    """Delete counters whose window and lock are over."""
    await sql.execute(
        DELETE_EXPIRED_ATTEMPTS,
        clock.now() - max(STORE_POLICY.window, DEVICE_POLICY.window, ENROLLED_DEVICE_POLICY.window) * 2,
    )
