"""Enrolment of the registers and screens of a store, which others can neither lock out nor impersonate.

A device requests enrolment and shows a code; a manager enters that code on their own device, which identifies the
device to enrol. The device then polls and gets its ``device`` value, a secret that it sends with each PIN. A manager
who is logged in on the device itself enrols it without a code.
"""

import secrets
from datetime import timedelta
from typing import Final

from comanda.accounts import services as accounts
from comanda.accounts import tokens
from comanda.basics import Conflict, Forbidden, NotFound, RateLimited, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest
from comanda.stores import require_store

from comanda_staff.caller_kinds import STAFF
from comanda_staff.models import DeviceRequest, EnrolledDevice, Member, PinPolicy, Role
from comanda_staff.records import EnrolmentPoll, EnrolmentRequest, NewStoreDevice, PendingDevice, StoreDevice
from comanda_staff.schemas.devices import DeviceApproval, DeviceRequestBody, PinPolicyBody
from comanda_staff.services.stores import StaffStore

DEVICE_PREFIX: Final = "dev_"
POLL_PREFIX: Final = "enr_"
REQUEST_LIFETIME: Final = timedelta(minutes=10)
# A device approved just before its request expires must still be able to collect its value.
MIN_COLLECTION_TIME: Final = timedelta(minutes=2)
POLL_SECONDS: Final = 3
MAX_DEVICES: Final = 100
MAX_REQUESTS_PER_SOURCE: Final = 3
MAX_REQUESTS_PER_STORE: Final = 100
# Read from one screen and typed on another, so no two characters are easily confused.
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 8

SELECT_IS_SLIDING: Final = "SELECT is_sliding FROM core_access_token_v1 WHERE owner_id = $1 AND id = $2"
LOCK_STORE: Final = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
UPSERT_PIN_POLICY: Final = """
    INSERT INTO staff_pin_policy (store_id, owner_id, enrolled_devices_only) VALUES ($1, $2, $3)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET enrolled_devices_only = EXCLUDED.enrolled_devices_only
"""
DELETE_EXPIRED_REQUESTS: Final = "DELETE FROM staff_device_request WHERE expires_at <= $1"


async def create_request(store: StaffStore, body: DeviceRequestBody, source: str) -> EnrolmentRequest:
    """Create an enrolment request; return the code to show and the token to poll with.

    A source's fourth request replaces its first. Raises ``RateLimited`` while too many are pending in the store.
    """
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    poll_token = tokens.generate_token(POLL_PREFIX)
    moment = clock.now()
    mine = DeviceRequest.filter(owner_id=store.owner_id, store_id=store.id)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store.id, store.owner_id)
        pending = mine.filter(expires_at__gt=moment, device_id=None)
        from_source = await pending.filter(source=source).order_by("-id").offset(MAX_REQUESTS_PER_SOURCE - 1)
        await mine.filter(id__in=[row.id for row in from_source]).delete()
        if await pending.count() >= MAX_REQUESTS_PER_STORE:
            raise RateLimited(int(REQUEST_LIFETIME.total_seconds()))
        await DeviceRequest.create(
            owner_id=store.owner_id,
            store_id=store.id,
            name=body.name,
            source=source,
            code_hash=await _hash_code(store.id, code),
            poll_hash=tokens.hash_token(poll_token),
            created_at=moment,
            expires_at=moment + REQUEST_LIFETIME,
        )
    return EnrolmentRequest(
        user_code=f"{code[:4]}-{code[4:]}",
        poll_token=poll_token,
        poll_seconds=POLL_SECONDS,
        expires_in=int(REQUEST_LIFETIME.total_seconds()),
    )


async def poll_request(store: StaffStore, poll_token: str) -> EnrolmentPoll:
    """Return the status of a request, with the device's value once it was approved.

    A response may be lost, so each poll creates a new value until the device has logged in. Raises ``NotFound`` for a
    request that is unknown, expired, or whose device has logged in.
    """
    async with sql.transaction():
        pending = DeviceRequest.filter(
            owner_id=store.owner_id, store_id=store.id, poll_hash=tokens.hash_token(poll_token)
        )
        request = await pending.filter(expires_at__gt=clock.now()).select_for_update().first()
        if request is None:
            raise NotFound(Sentence("This enrolment request has expired. Create a new one."))
        if request.device_id is None:
            return EnrolmentPoll("pending", request.name, None)
        device = await EnrolledDevice.get(owner_id=store.owner_id, store_id=store.id, id=request.device_id)
        if device.last_used_at is not None:
            raise NotFound(Sentence("This enrolment request has expired. Create a new one."))
        value = await _issue_device_value(device)
    return EnrolmentPoll("approved", device.name, value)


async def get_request(caller: Caller, store_id: int, code: str) -> PendingDevice:
    """Return the pending request that a code belongs to. Raises ``NotFound``, ``Forbidden``."""
    await _require_manager(caller, store_id)
    request = await _get_pending_request(caller.owner_id, store_id, code)
    return PendingDevice(request.name, request.source, request.created_at, request.expires_at)


async def enrol_device(caller: Caller, store_id: int, body: DeviceApproval) -> NewStoreDevice:
    """Enrol the device that shows a code; without a code, the device on which the caller is logged in.

    Raises ``NotFound``; ``Forbidden`` for staff other than managers, and for a login by PIN; ``ValidationFailed`` for
    a code that no device shows; ``Conflict`` beyond ``MAX_DEVICES``.
    """
    await _require_manager(caller, store_id)
    mine = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id)
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await mine.count() >= MAX_DEVICES:
            raise Conflict(
                Sentence(
                    "This store has reached the limit of %(limit)s enrolled devices. Revoke one first.",
                    limit=MAX_DEVICES,
                ),
                extras={"limits": {"devices": MAX_DEVICES}},
            )
        request = (
            await _get_request_to_approve(caller.owner_id, store_id, body.user_code)
            if body.user_code is not None
            else None
        )
        device = await EnrolledDevice.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            name=body.name or (request.name if request is not None else "Device"),
            enrolled_by=caller.actor,
            enrolled_at=clock.now(),
        )
        if request is not None:
            request.device_id = device.id
            request.expires_at = max(request.expires_at, clock.now() + MIN_COLLECTION_TIME)
            await request.save(update_fields=["device_id", "expires_at"])
        value = await _issue_device_value(device) if request is None else None
    return NewStoreDevice(
        device.id, device.name, device.enrolled_by, device.enrolled_at, device.last_used_at, device=value
    )


async def list_devices(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[StoreDevice]:
    """List a store's enrolled devices, newest first. Raises ``NotFound``, ``Forbidden``."""
    await _require_manager(caller, store_id, by_full_login=False)
    found = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([_to_device(row) for row in rows], await page.get_total(rows, found.count))


async def revoke_device(caller: Caller, store_id: int, device_id: int) -> None:
    """Delete a device and revoke the tokens issued on it. Raises ``NotFound``, ``Forbidden``."""
    await _require_manager(caller, store_id, by_full_login=False)
    mine = EnrolledDevice.filter(owner_id=caller.owner_id, store_id=store_id, id=device_id)
    async with sql.transaction():
        found = require_found(await mine.select_for_update().first())
        await accounts.revoke_tokens_named(caller.owner_id, STAFF.code, store_id, get_token_name(found))
        await found.delete()


async def find_device(store: StaffStore, device: str) -> EnrolledDevice | None:
    """Return the enrolled device that sends this value, or None."""
    if not tokens.is_well_formed(device, DEVICE_PREFIX):
        return None
    mine = EnrolledDevice.filter(owner_id=store.owner_id, store_id=store.id)
    return await mine.get_or_none(device_hash=tokens.hash_token(device))


async def record_use(device: EnrolledDevice) -> None:
    """Record a login on a device, in the open transaction. Raises ``NotFound`` if the device was revoked."""
    mine = EnrolledDevice.filter(owner_id=device.owner_id, store_id=device.store_id, id=device.id)
    if not await mine.update(last_used_at=clock.now()):
        raise NotFound


def get_token_name(device: EnrolledDevice) -> str:
    """Return the name of the tokens issued on a device, without its secret value."""
    return f"{device.name} (device {device.id})"


async def get_policy(caller: Caller, store_id: int) -> bool:
    """Return whether only enrolled devices may log in by PIN. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return await is_enrolment_required(caller.owner_id, store_id)


@sql.transaction()
async def update_policy(caller: Caller, store_id: int, body: PinPolicyBody) -> None:
    """Update which devices may log in by PIN. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(UPSERT_PIN_POLICY, store_id, caller.owner_id, body.enrolled_devices_only)


async def is_enrolment_required(owner_id: int, store_id: int) -> bool:
    """Return whether a store refuses PINs from devices that are not enrolled."""
    return await PinPolicy.exists(id=store_id, owner_id=owner_id, enrolled_devices_only=True)


async def delete_expired_requests() -> None:
    """Delete expired enrolment requests."""
    await sql.execute(DELETE_EXPIRED_REQUESTS, clock.now())


async def _require_manager(caller: Caller, store_id: int, *, by_full_login: bool = True) -> None:
    """Raise ``NotFound`` or ``Forbidden`` unless the caller owns or manages the store."""
    if caller.kind != STAFF.code:
        await require_store(caller, store_id)
        return
    member = require_found(await Member.get_or_none(owner_id=caller.owner_id, store_id=store_id, id=caller.subject_id))
    if member.role != Role.MANAGER:
        raise Forbidden(Sentence("This requires the manager role."), extras={"required": Role.MANAGER.value})
    # A guessed PIN must not be enough to enrol a device, which stays enrolled.
    if by_full_login and not await sql.fetch_value(SELECT_IS_SLIDING, caller.owner_id, caller.token_id):
        raise Forbidden(
            Sentence("Log in with e-mail and password to enrol a device."), extras={"reason": "full_login_required"}
        )


async def _get_pending_request(owner_id: int, store_id: int, code: str) -> DeviceRequest:
    pending = DeviceRequest.filter(owner_id=owner_id, store_id=store_id, device_id=None, expires_at__gt=clock.now())
    return require_found(await pending.get_or_none(code_hash=await _hash_code(store_id, code)))


async def _get_request_to_approve(owner_id: int, store_id: int, code: str) -> DeviceRequest:
    try:
        return await _get_pending_request(owner_id, store_id, code)
    except NotFound as error:
        raise ValidationFailed(user_code=[Sentence("No pending device of this store shows this code.")]) from error


async def _issue_device_value(device: EnrolledDevice) -> str:
    value = tokens.generate_token(DEVICE_PREFIX)
    device.device_hash = tokens.hash_token(value)
    await device.save(update_fields=["device_hash"])
    return value


async def _hash_code(store_id: int, code: str) -> bytes:
    plain = "".join(mark for mark in code.upper() if mark in CODE_ALPHABET)
    return await hmac_digest.hmac_digest("staff.enrolment", str(store_id), plain)


def _to_device(row: EnrolledDevice) -> StoreDevice:
    return StoreDevice(row.id, row.name, row.enrolled_by, row.enrolled_at, row.last_used_at)
