"""Login by e-mail and password or by PIN, and logout."""

from datetime import timedelta
from typing import Final

from comanda.accounts import IssuedToken, login_attempts, passwords, tokens
from comanda.accounts import services as accounts
from comanda.basics import Sentence, Unauthenticated, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

from comanda_staff.caller_kinds import STAFF
from comanda_staff.models import EnrolledDevice, KnownDevice, Member, Role
from comanda_staff.records import SessionMember, StaffSession
from comanda_staff.schemas.login import PinBody, StaffLoginBody
from comanda_staff.services import enrolment, pins, two_factor
from comanda_staff.services.lockout import PinLockout
from comanda_staff.services.permissions import list_permissions
from comanda_staff.services.stores import StaffStore

# One working day; using the token does not extend it.
PIN_LIFETIME: Final = timedelta(hours=16)
KNOWN_DEVICE_LIFETIME: Final = timedelta(days=30)
DEFAULT_DEVICE_NAME: Final = "Unnamed device"
PASSWORD_ATTEMPTS: Final = login_attempts.LockoutRules(failures=10, window=timedelta(minutes=15))

UPSERT_KNOWN_DEVICE = """
    INSERT INTO staff_device (owner_id, staff_id, device_hash, full_login_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id, staff_id, device_hash) DO UPDATE SET full_login_at = EXCLUDED.full_login_at
"""
DELETE_STALE_DEVICES = "DELETE FROM staff_device WHERE full_login_at < $1"


async def log_in_by_password(store: StaffStore, body: StaffLoginBody) -> StaffSession:
    """Log in by e-mail and password.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the e-mail is
    known, or ``two_factor_required``; ``ValidationFailed`` for a wrong code; ``RateLimited`` after too many attempts
    with one e-mail or on one second factor.
    """
    key = await count_password_attempt(store, body.email)
    mine = Member.filter(owner_id=store.owner_id, store_id=store.id, is_active=True)
    member = await mine.get_or_none(email=body.email) if body.email else None
    known_hash = member.password_hash if member is not None else None
    verdict = await passwords.verify_password(body.password, known_hash)
    if member is None or known_hash is None or not verdict.is_right:
        raise create_credentials_error()
    attempt_key = None
    if member.totp_secret is not None and (body.otp or body.recovery_code):
        attempt_key = await two_factor.count_attempt(member)
    enrolled = await enrolment.find_device(store, body.device or "")
    async with sql.transaction():
        # The password may have been changed, or the member deactivated, while it was being checked.
        locked_member = await mine.select_for_update(no_key=True).get_or_none(id=member.id, password_hash=known_hash)
        if locked_member is None:
            raise create_credentials_error()
        await two_factor.verify(locked_member, body.otp, body.recovery_code)
        if verdict.new_hash is not None:
            locked_member.password_hash = verdict.new_hash
        await _record_full_login(locked_member, body.device)
        token = await _issue_token(locked_member, _get_token_name(body.device, enrolled))
    await login_attempts.reset_all_attempts(store.owner_id, [key] if attempt_key is None else [key, attempt_key])
    return _to_session(locked_member, token)


async def log_in_by_pin(store: StaffStore, body: PinBody) -> StaffSession:
    """Log in by PIN, for 16 hours.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``; ``two_factor_required`` for a member with
    two-factor and no full login on this device in the last 30 days; ``device_not_enrolled`` if the store accepts PINs
    from enrolled devices only. Raises ``RateLimited`` while the device, or the store for a device that is not enrolled,
    is locked out.
    """
    enrolled = await enrolment.find_device(store, body.device)
    if enrolled is None and await enrolment.is_enrolment_required(store.owner_id, store.id):
        raise Unauthenticated(
            Sentence("This store accepts PINs from enrolled devices only. Ask a manager to enrol this device."),
            extras={"reason": "device_not_enrolled"},
        )
    lockout = await PinLockout.for_device(store, body.device, enrolled)
    await lockout.count_attempt()
    pin_hash = await pins.hash_pin(store.id, body.pin)
    async with sql.transaction():
        mine = Member.filter(owner_id=store.owner_id, store_id=store.id, is_active=True)
        locked_member = await mine.select_for_update(no_key=True).get_or_none(pin_hash=pin_hash)
        if locked_member is not None:
            await lockout.record_success()
            is_known = locked_member.totp_secret is None or await _is_known_device(locked_member, body.device)
            if enrolled is not None:
                await enrolment.record_use(enrolled)
            token = (
                await _issue_token(locked_member, _get_token_name(body.device, enrolled), lifetime=PIN_LIFETIME)
                if is_known
                else None
            )
    if locked_member is None:
        await lockout.record_failure()
        raise create_credentials_error(Sentence("Invalid PIN."))
    if token is None:
        raise two_factor.create_required_error()
    return _to_session(locked_member, token)


async def count_password_attempt(store: StaffStore, email: str) -> bytes:
    """Count an attempt at the password of an e-mail in a store and return its key. Raises ``RateLimited``."""
    key = await hmac_digest.hmac_digest("staff.password", str(store.id), email)
    await login_attempts.count_attempt(store.owner_id, key, PASSWORD_ATTEMPTS)
    return key


@sql.transaction()
async def log_out(caller: Caller) -> None:
    """Revoke the token that was used, and no other."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)


async def delete_stale_devices() -> None:
    """Delete devices whose last full login is too long ago to count."""
    await sql.execute(DELETE_STALE_DEVICES, clock.now() - KNOWN_DEVICE_LIFETIME)


async def _issue_token(member: Member, device: str, *, lifetime: timedelta | None = None) -> IssuedToken:
    member.last_login_at = clock.now()
    await member.save(update_fields=["last_login_at", "password_hash"])
    return await accounts.issue_token(
        STAFF,
        member.owner_id,
        list_permissions(member),
        name=device,
        store_id=member.store_id,
        subject_id=member.id,
        lifetime=lifetime or STAFF.lifetime,
        is_sliding=lifetime is None,
    )


async def _record_full_login(member: Member, device: str | None) -> None:
    if device is not None:
        await sql.execute(
            UPSERT_KNOWN_DEVICE, member.owner_id, member.id, await _hash_device(member, device), clock.now()
        )


async def _is_known_device(member: Member, device: str) -> bool:
    device_hash, since = await _hash_device(member, device), clock.now() - KNOWN_DEVICE_LIFETIME
    known = KnownDevice.filter(owner_id=member.owner_id, staff_id=member.id, device_hash=device_hash)
    return await known.filter(full_login_at__gt=since).exists()


async def _hash_device(member: Member, device: str) -> bytes:
    return await hmac_digest.hmac_digest("staff.device", str(member.id), device)


def _get_token_name(device: str | None, enrolled: EnrolledDevice | None) -> str:
    """Return the name of a token; the value of an enrolled device, even a revoked one, is a secret and is left out."""
    if enrolled is not None:
        return enrolment.get_token_name(enrolled)
    is_secret = device is not None and tokens.is_well_formed(device, enrolment.DEVICE_PREFIX)
    return DEFAULT_DEVICE_NAME if device is None or is_secret else device


def _to_session(member: Member, token: IssuedToken) -> StaffSession:
    staff = SessionMember(member.id, member.name, Role(member.role), list_permissions(member))
    return StaffSession(member.owner_id, member.store_id, token.id, token.secret, token.expires_at, staff)


def create_credentials_error(sentence: str = Sentence("Invalid e-mail or password.")) -> Unauthenticated:
    """Return the error for credentials that are wrong or unknown."""
    return Unauthenticated(sentence, extras={"reason": "invalid_credentials"})
