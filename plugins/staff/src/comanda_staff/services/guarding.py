"""Stops the guessing of PINs: by one device, and by however many devices that are not enrolled in one store.

Devices that are not enrolled share a store's tries, as anybody may call themselves anything. An enrolled device has
tries of its own: a stranger's lock it out as little as it locks out others.

A try is counted before the PIN is looked at, so that many at the same moment are not all the first one, and taken back
when it was right: thirty people who come to work are no attack. A lock begins with the try that failed once too often.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda import clock
from comanda.accounts.models import Owner
from comanda.db import sql
from comanda.encryption import hmac_digest
from comanda.errors import RateLimited, ValidationFailed
from comanda_notifications.api import send_template

from comanda_staff.messages import PIN_PAUSED
from comanda_staff.models import EnrolledDevice
from comanda_staff.services.shops import Shop

log = structlog.get_logger(__name__)

# A lock that is over, like a window that is, begins anew; a lock that holds is not made longer by knocking.
COUNT = """
    INSERT INTO staff_pin_try AS t (owner_id, store_id, key_hash, tries, since) VALUES ($1, $2, $3, 1, $4)
    ON CONFLICT (owner_id, store_id, key_hash) DO UPDATE SET
        tries = CASE WHEN t.locked_until > $4 THEN t.tries
            WHEN t.locked_until IS NOT NULL OR t.since <= $5 THEN 1 ELSE least(t.tries + 1, 1000000) END,
        since = CASE WHEN t.locked_until > $4 THEN t.since
            WHEN t.locked_until IS NOT NULL OR t.since <= $5 THEN $4 ELSE t.since END,
        locked_until = CASE WHEN t.locked_until > $4 THEN t.locked_until END
    RETURNING tries, since, locked_until
"""
LOCK = """
    UPDATE staff_pin_try SET locked_until = greatest(since + $5::interval, $6::timestamptz)
    WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3 AND tries >= $4 AND locked_until IS NULL
    RETURNING locked_until
"""
TAKE_BACK = """
    UPDATE staff_pin_try SET tries = greatest(tries - 1, 0)
    WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3 AND locked_until IS NULL
"""
FORGET = "DELETE FROM staff_pin_try WHERE owner_id = $1 AND store_id = $2 AND key_hash = $3"
PRUNE = "DELETE FROM staff_pin_try WHERE since < $1 AND (locked_until IS NULL OR locked_until < $1)"


@dataclass(frozen=True, slots=True)
class Rules:
    """How many wrong PINs within ``window`` begin a lock, which lasts ``lock``, and until the window ends."""

    failures: int
    window: timedelta
    lock: timedelta


OF_DEVICE: Final = Rules(5, timedelta(minutes=15), timedelta(minutes=15))
OF_STORE: Final = Rules(30, timedelta(hours=1), timedelta(minutes=15))
# Whoever has stolen a till has time.
OF_ENROLLED_DEVICE: Final = Rules(50, timedelta(days=1), timedelta(minutes=15))


@dataclass(frozen=True, slots=True)
class Guard:
    """Counts one try of one device: against the device, and against what it shares.

    That is the store, or for an enrolled device its own day.
    """

    shop: Shop
    device_key: bytes
    shared_key: bytes
    shared_rules: Rules

    @classmethod
    async def of(cls, shop: Shop, device: str, enrolled: EnrolledDevice | None) -> "Guard":
        """Return the guard of a device: an enrolled one, or one by what it calls itself."""
        store = str(shop.id)
        if enrolled is None:
            device_key = await hmac_digest.hmac_digest("staff.pin.device", store, device)
            return cls(shop, device_key, await hmac_digest.hmac_digest("staff.pin.store", store), OF_STORE)
        named = (store, str(enrolled.id))
        device_key = await hmac_digest.hmac_digest("staff.pin.enrolled", *named)
        return cls(
            shop, device_key, await hmac_digest.hmac_digest("staff.pin.enrolled.day", *named), OF_ENROLLED_DEVICE
        )

    async def count(self) -> None:
        """Count a try. Raises ``RateLimited`` while the device, or what it shares, is locked out."""
        await self._count(self.shared_key, self.shared_rules)
        try:
            await self._count(self.device_key, OF_DEVICE)
        except RateLimited:
            # What a locked device tries is no try in the store: one device must not lock out all others.
            await self._run(TAKE_BACK, self.shared_key)
            raise

    async def failed(self) -> None:
        """Lock where this was one too many; the owner is told once of a store that is."""
        await self._lock(self.device_key, OF_DEVICE)
        async with sql.transaction():
            until = await self._lock(self.shared_key, self.shared_rules)
            if until is not None and self.shared_rules is OF_STORE:
                await self._tell_owner(until)
            elif until is not None:
                log.warning("staff_enrolled_device_locked", owner_id=self.shop.owner_id, store_id=self.shop.id)

    async def succeeded(self) -> None:
        """Forget the device's tries, and take this one back from what it shares; in the open transaction."""
        await self._run(FORGET, self.device_key)
        await self._run(TAKE_BACK, self.shared_key)

    async def _count(self, key: bytes, rules: Rules) -> None:
        moment = clock.now()
        row = await sql.fetch_one(COUNT, self.shop.owner_id, self.shop.id, key, moment, moment - rules.window)
        assert row is not None  # noqa: S101 - it inserts or updates
        if row["locked_until"] is not None:
            raise RateLimited(_seconds(row["locked_until"] - moment))
        if row["tries"] > rules.failures:
            # As many as may be wrong are being looked at by others, or were when their process was killed.
            raise RateLimited(_seconds(row["since"] + rules.window - moment))

    async def _lock(self, key: bytes, rules: Rules) -> datetime | None:
        values = (self.shop.owner_id, self.shop.id, key, rules.failures, rules.window, clock.now() + rules.lock)
        until: datetime | None = await sql.fetch_value(LOCK, *values)
        return until

    async def _run(self, statement: str, key: bytes) -> None:
        await sql.execute(statement, self.shop.owner_id, self.shop.id, key)

    async def _tell_owner(self, until: datetime) -> None:
        owner = await Owner.get(id=self.shop.owner_id)
        values = {"name": owner.name, "store": self.shop.title, "count": OF_STORE.failures}
        log.warning("staff_pin_login_paused", owner_id=owner.id, store_id=self.shop.id, until=until.isoformat())
        try:
            await send_template(
                PIN_PAUSED.name,
                to=owner.email,
                channel="email",
                values={**values, "until": f"{until:%Y-%m-%d %H:%M}"},
                owner_id=owner.id,
                store_id=self.shop.id,
            )
        except (RateLimited, ValidationFailed) as error:
            # The lock must hold, whether or not anybody can be told of it.
            log.warning("staff_notice_not_sent", owner_id=owner.id, store_id=self.shop.id, error=str(error))


async def prune() -> None:
    """Delete tries that count no longer."""
    await sql.execute(PRUNE, clock.now() - max(OF_STORE.window, OF_DEVICE.window, OF_ENROLLED_DEVICE.window) * 2)


def _seconds(wait: timedelta) -> int:
    return int(wait.total_seconds()) + 1
