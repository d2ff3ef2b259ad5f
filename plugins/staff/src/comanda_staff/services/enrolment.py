"""Enrolled devices: tills and screens of a store, which strangers can neither lock out nor pretend to be.

A device requests enrolment and shows a code; somebody who manages the store types that code in on a device of their
own, so the code says which device it is. Then the device polls and gets its ``device``, an unguessable value that it
sends with each PIN. A manager who is logged in on the device itself enrols it without a code.
"""

import secrets
from datetime import timedelta
from typing import Any, Final

from comanda import clock
from comanda.accounts import tokens
from comanda.accounts.models import AccessToken
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.encryption import hmac_digest
from comanda.errors import Conflict, Forbidden, NotFound, RateLimited, ValidationFailed
from comanda.stores.services import require_store

from comanda_staff.kinds import STAFF
from comanda_staff.models import DeviceRequest, EnrolledDevice, Member, PinPolicy, Role
from comanda_staff.schemas.devices import DeviceApproval, DeviceRequestBody, PinPolicyBody
from comanda_staff.services.shops import Shop

DEVICE_PREFIX: Final = "dev_"
POLL_PREFIX: Final = "enr_"
REQUEST_LIFETIME: Final = timedelta(minutes=10)
# An approval a moment before the end must still reach the device.
COLLECT_WITHIN: Final = timedelta(minutes=2)
POLL_SECONDS: Final = 3
MAX_DEVICES: Final = 100
MAX_REQUESTS_PER_SOURCE: Final = 3
MAX_REQUESTS_PER_STORE: Final = 100
# Read from one screen and typed on another, so nothing in it is mistaken for something else.
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 8

LOCK_STORE: Final = "SELECT id FROM core_store WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
SET_POLICY: Final = """
    INSERT INTO staff_pin_policy (store_id, owner_id, enrolled_devices_only) VALUES ($1, $2, $3)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET enrolled_devices_only = EXCLUDED.enrolled_devices_only
"""
PRUNE: Final = "DELETE FROM staff_device_request WHERE expires_at <= $1"


async def request(shop: Shop, body: DeviceRequestBody, source: str) -> dict[str, Any]:
    """Create a request of a device that nobody knows yet; return the code to show and the token to poll with.

    A source's fourth request replaces its first. Raises ``RateLimited`` while too many wait in the store.
    """
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    poll_token = tokens.generate_token(POLL_PREFIX)
    moment = clock.now()
    mine = DeviceRequest.filter(owner_id=shop.owner_id, store_id=shop.id)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, shop.id, shop.owner_id)
        waiting = mine.filter(expires_at__gt=moment, device_id=None)
        from_source = await waiting.filter(source=source).order_by("-id").offset(MAX_REQUESTS_PER_SOURCE - 1)
        await mine.filter(id__in=[row.id for row in from_source]).delete()
        if await waiting.count() >= MAX_REQUESTS_PER_STORE:
            raise RateLimited(int(REQUEST_LIFETIME.total_seconds()))
        await DeviceRequest.create(
            owner_id=shop.owner_id,
            store_id=shop.id,
            name=body.name,
            source=source,
            code_hash=await _code_hash(shop.id, code),
            poll_hash=tokens.hash_token(poll_token),
            created_at=moment,
            expires_at=moment + REQUEST_LIFETIME,
        )
    return {
        "user_code": f"{code[:4]}-{code[4:]}",
        "poll_token": poll_token,
        "poll_seconds": POLL_SECONDS,
        "expires_in": int(REQUEST_LIFETIME.total_seconds()),
    }


async def poll(shop: Shop, poll_token: str) -> dict[str, Any]:
    """Return whether a request was approved, and then the device's value.

    An answer may be lost, so the value is made anew at each poll until the device has logged in. Raises ``NotFound``
    for a request that is unknown, over, or collected.
    """
    async with sql.transaction():
        waiting = DeviceRequest.filter(
            owner_id=shop.owner_id, store_id=shop.id, poll_hash=tokens.hash_token(poll_token)
        )
        found = await waiting.filter(expires_at__gt=clock.now()).select_for_update().first()
        if found is None:
            raise NotFound("This request for enrolment is over. Request another one.")
        if found.device_id is None:
            return {"status": "pending", "name": found.name, "device": None}
        device = await EnrolledDevice.get(owner_id=shop.owner_id, store_id=shop.id, id=found.device_id)
        if device.last_used_at is not None:
            raise NotFound("This request for enrolment is over. Request another one.")
        value = await _give_value(device)
    return {"status": "approved", "name": device.name, "device": value}


async def get_request(caller: Caller, store_id: int, code: str) -> dict[str, Any]:
    """Return what a code stands for, before it is approved. Raises ``NotFound``, ``Forbidden``."""
    await _must_manage(caller, store_id)
    found = await _waiting(caller.owner_id, store_id, code)
    return {name: getattr(found, name) for name in ("name", "source", "created_at", "expires_at")}


async def approve(caller: Caller, store_id: int, body: DeviceApproval) -> dict[str, Any]:
    """Enrol the device that shows a code; without a code, the device on which the caller is logged in.

    Raises ``NotFound``; ``Forbidden`` for staff other than managers, and for a login by PIN; ``ValidationFailed`` for
    a code that no device shows; ``Conflict`` beyond ``MAX_DEVICES``.
    """
    await _must_manage(caller, store_id)
    mine = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await mine.count() >= MAX_DEVICES:
            raise Conflict(
                f"This store has {MAX_DEVICES} enrolled devices, which is the limit. Revoke one first.",
                extras={"limits": {"devices": MAX_DEVICES}},
            )
        asked = await _approved(caller.owner_id, store_id, body.user_code) if body.user_code is not None else None
        made = await EnrolledDevice.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            name=body.name or (asked.name if asked is not None else "Device"),
            enrolled_by=caller.actor,
            enrolled_at=clock.now(),
        )
        if asked is not None:
            asked.device_id = made.id
            asked.expires_at = max(asked.expires_at, clock.now() + COLLECT_WITHIN)
            await asked.save(update_fields=["device_id", "expires_at"])
        value = await _give_value(made) if asked is None else None
    return {**_record(made), "device": value}


async def page_of_devices(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's enrolled devices, newest first. Raises ``NotFound``, ``Forbidden``."""
    await _must_manage(caller, store_id, by_full_login=False)
    found = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([_record(row) for row in rows], await found.count())


async def revoke(caller: Caller, store_id: int, device_id: int) -> None:
    """Forget a device and make the tokens void that were issued on it. Raises ``NotFound``, ``Forbidden``."""
    await _must_manage(caller, store_id, by_full_login=False)
    mine = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id, id=device_id)
    async with sql.transaction():
        found = await mine.select_for_update().first()
        if found is None:
            raise NotFound
        issued = AccessToken.filter(owner_id=caller.owner_id, store_id=store_id, kind=STAFF.code, revoked_at=None)
        await issued.filter(name=label(found)).update(revoked_at=clock.now())
        await found.delete()


async def find(shop: Shop, device: str) -> EnrolledDevice | None:
    """Return the enrolled device that sends this value, or None."""
    if not tokens.is_well_formed(device, DEVICE_PREFIX):
        return None
    mine = EnrolledDevice.filter(owner_id=shop.owner_id, store_id=shop.id)
    return await mine.get_or_none(device_hash=tokens.hash_token(device))


async def record_use(device: EnrolledDevice) -> None:
    """Write down that somebody logged in on a device, in the open transaction. Raises ``NotFound`` if it is gone."""
    mine = EnrolledDevice.filter(owner_id=device.owner_id, store_id=device.store_id, id=device.id)
    if not await mine.update(last_used_at=clock.now()):
        raise NotFound


def label(device: EnrolledDevice) -> str:
    """Return how the tokens that are issued on a device are named; its value is a secret."""
    return f"{device.name} (device {device.id})"


async def get_policy(caller: Caller, store_id: int) -> dict[str, Any]:
    """Return which devices may log in by PIN. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return {"enrolled_devices_only": await is_enrolled_only(caller.owner_id, store_id)}


@sql.transaction()
async def set_policy(caller: Caller, store_id: int, body: PinPolicyBody) -> dict[str, Any]:
    """Say which devices may log in by PIN. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(SET_POLICY, store_id, caller.owner_id, body.enrolled_devices_only)
    return {"enrolled_devices_only": body.enrolled_devices_only}


async def is_enrolled_only(owner_id: int, store_id: int) -> bool:
    """Return whether a store refuses PINs from devices that are not enrolled."""
    return await PinPolicy.exists(id=store_id, owner_id=owner_id, enrolled_devices_only=True)


async def prune() -> None:
    """Delete requests that are over."""
    await sql.execute(PRUNE, clock.now())


async def _must_manage(caller: Caller, store_id: int, *, by_full_login: bool = True) -> None:
    """Raise ``NotFound`` or ``Forbidden`` unless the caller owns or manages the store."""
    if caller.kind != STAFF.code:
        await require_store(caller, store_id)
        return
    member = await Member.get_or_none(owner_id=caller.owner_id, store_id=store_id, id=caller.subject_id)
    if member is None:
        raise NotFound
    if member.role != Role.MANAGER:
        raise Forbidden("Only a manager may do that.", extras={"required": Role.MANAGER.value})
    # An enrolled device stays one; a PIN that somebody guessed must not make another.
    if by_full_login and not await AccessToken.exists(owner_id=caller.owner_id, id=caller.token_id, is_sliding=True):
        raise Forbidden("Log in with e-mail and password to enrol a device.", extras={"reason": "full_login_required"})


async def _waiting(owner_id: int, store_id: int, code: str) -> DeviceRequest:
    waiting = DeviceRequest.filter(owner_id=owner_id, store_id=store_id, device_id=None, expires_at__gt=clock.now())
    found = await waiting.get_or_none(code_hash=await _code_hash(store_id, code))
    if found is None:
        raise NotFound
    return found


async def _approved(owner_id: int, store_id: int, code: str) -> DeviceRequest:
    try:
        return await _waiting(owner_id, store_id, code)
    except NotFound as error:
        raise ValidationFailed(user_code=["No device of this store shows this code."]) from error


async def _give_value(device: EnrolledDevice) -> str:
    value = tokens.generate_token(DEVICE_PREFIX)
    device.device_hash = tokens.hash_token(value)
    await device.save(update_fields=["device_hash"])
    return value


async def _code_hash(store_id: int, code: str) -> bytes:
    plain = "".join(mark for mark in code.upper() if mark in CODE_ALPHABET)
    return await hmac_digest.hmac_digest("staff.enrolment", str(store_id), plain)


def _record(device: EnrolledDevice) -> dict[str, Any]:
    return {name: getattr(device, name) for name in ("id", "name", "enrolled_by", "enrolled_at", "last_used_at")}
