"""Logging in, by e-mail or by PIN, and out; and what a token's holder knows of themselves."""

from datetime import timedelta
from typing import Any, Final

from comanda import clock
from comanda.accounts import login_attempts, passwords, tokens
from comanda.accounts import services as accounts
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.encryption import hmac_digest
from comanda.errors import NotFound, Unauthenticated
from comanda.stores.models import Store

from comanda_staff import pins
from comanda_staff.kinds import STAFF
from comanda_staff.models import Device, EnrolledDevice, Member
from comanda_staff.permissions import of_member
from comanda_staff.schemas.entering import PinBody, StaffLoginBody
from comanda_staff.services import enrolment, twofactor
from comanda_staff.services.guarding import Guard
from comanda_staff.services.shops import Shop

# One working day, however often it is used.
PIN_LIFETIME: Final = timedelta(hours=16)
KNOWN_FOR: Final = timedelta(days=30)
NAMELESS_DEVICE: Final = "A device without a name"
PASSWORDS: Final = login_attempts.LockoutRules(failures=10, window=timedelta(minutes=15))

REMEMBER = """
    INSERT INTO staff_device (owner_id, staff_id, device_hash, full_login_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id, staff_id, device_hash) DO UPDATE SET full_login_at = EXCLUDED.full_login_at
"""
FORGET_DEVICES = "DELETE FROM staff_device WHERE full_login_at < $1"


async def login(shop: Shop, body: StaffLoginBody) -> dict[str, Any]:
    """Log in by e-mail and password.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, alike and after the same work whether or not the
    e-mail is known, or with ``two_factor_required``; ``ValidationFailed`` for a wrong code; ``RateLimited`` after too
    many tries with one e-mail, or at one second factor.
    """
    key = await hmac_digest.hmac_digest("staff.password", str(shop.id), body.email)
    await login_attempts.count_attempt(shop.owner_id, key, PASSWORDS)
    mine = Member.filter(owner_id=shop.owner_id, store_id=shop.id, is_active=True)
    member = await mine.get_or_none(email=body.email) if body.email else None
    known_hash = member.password_hash if member is not None else None
    verdict = await passwords.verify_password(body.password, known_hash)
    if member is None or known_hash is None or not verdict.is_right:
        raise _wrong("The e-mail or the password is wrong.")
    guessed = None
    if member.totp_secret is not None and (body.otp or body.recovery_code):
        guessed = await twofactor.count_guess(member)
    enrolled = await enrolment.find(shop, body.device or "")
    async with sql.transaction():
        # The password may have been replaced, or its holder sent away, while it was being checked.
        held = await mine.select_for_update(no_key=True).get_or_none(id=member.id, password_hash=known_hash)
        if held is None:
            raise _wrong("The e-mail or the password is wrong.")
        await twofactor.prove(held, body.otp, body.recovery_code)
        if verdict.new_hash is not None:
            held.password_hash = verdict.new_hash
        await _remember(held, body.device)
        issued = await _issue(held, _named(body.device, enrolled))
    await login_attempts.reset_all_attempts(shop.owner_id, [key] if guessed is None else [key, guessed])
    return _entered(held, issued)


async def enter_by_pin(shop: Shop, body: PinBody) -> dict[str, Any]:
    """Log in by PIN, for 16 hours.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, or ``two_factor_required`` for somebody who has
    two-factor and has not logged in on this device with all of it for 30 days, or ``device_not_enrolled`` where the
    store takes PINs from enrolled devices only; ``RateLimited`` while the device, or for one that is not enrolled the
    store, is locked out.
    """
    enrolled = await enrolment.find(shop, body.device)
    if enrolled is None and await enrolment.is_enrolled_only(shop.owner_id, shop.id):
        raise Unauthenticated(
            "This store takes PINs from enrolled devices only. Ask a manager to enrol this one.",
            extras={"reason": "device_not_enrolled"},
        )
    guard = await Guard.of(shop, body.device, enrolled)
    await guard.count()
    pin_hash = await pins.hash_of(shop.id, body.pin)
    async with sql.transaction():
        mine = Member.filter(owner_id=shop.owner_id, store_id=shop.id, is_active=True)
        held = await mine.select_for_update(no_key=True).get_or_none(pin_hash=pin_hash)
        if held is not None:
            await guard.succeeded()
            is_known = held.totp_secret is None or await _is_known(held, body.device)
            if enrolled is not None:
                await enrolment.record_use(enrolled)
            issued = await _issue(held, _named(body.device, enrolled), lifetime=PIN_LIFETIME) if is_known else None
    if held is None:
        await guard.failed()
        raise _wrong("The PIN is wrong.")
    if issued is None:
        raise twofactor.needed()
    return _entered(held, issued)


@sql.transaction()
async def logout(caller: Caller) -> dict[str, Any]:
    """Make the token that was used void, and no other."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)
    return {"message": "You are logged out."}


async def me(caller: Caller) -> dict[str, Any]:
    """Tell a member of staff who they are and what they may do."""
    found = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    store = await Store.get_or_none(owner_id=caller.owner_id, id=caller.store_id or 0)
    if found is None or store is None:
        raise NotFound
    return {
        **{name: getattr(found, name) for name in ("id", "name", "email", "phone", "role", "station_ids")},
        "permissions": of_member(found),
        "two_factor": found.totp_secret is not None,
        "recovery_codes_left": await twofactor.codes_left(found),
        "token_expires_at": caller.expires_at,
        "restaurant": {
            name: getattr(store, name) for name in ("id", "title", "store_type", "currency", "timezone")
        },
    }  # fmt: skip


async def forget_old_devices() -> None:
    """Delete devices on which nobody has logged in in full for so long that it says nothing any more."""
    await sql.execute(FORGET_DEVICES, clock.now() - KNOWN_FOR)


async def _issue(member: Member, device: str, *, lifetime: timedelta | None = None) -> IssuedToken:
    member.last_login_at = clock.now()
    await member.save(update_fields=["last_login_at", "password_hash"])
    return await accounts.issue_token(
        STAFF,
        member.owner_id,
        of_member(member),
        name=device,
        store_id=member.store_id,
        subject_id=member.id,
        lifetime=lifetime or STAFF.lifetime,
        is_sliding=lifetime is None,
    )


async def _remember(member: Member, device: str | None) -> None:
    if device is not None:
        await sql.execute(REMEMBER, member.owner_id, member.id, await _device_hash(member, device), clock.now())


async def _is_known(member: Member, device: str) -> bool:
    device_hash, since = await _device_hash(member, device), clock.now() - KNOWN_FOR
    known = Device.filter(owner_id=member.owner_id, staff_id=member.id, device_hash=device_hash)
    return await known.filter(full_login_at__gt=since).exists()


async def _device_hash(member: Member, device: str) -> bytes:
    return await hmac_digest.hmac_digest("staff.device", str(member.id), device)


def _named(device: str | None, enrolled: EnrolledDevice | None) -> str:
    """Return the name of a token; what an enrolled device sends is a secret, and so may be what once was one."""
    if enrolled is not None:
        return enrolment.label(enrolled)
    is_secret = device is not None and tokens.is_well_formed(device, enrolment.DEVICE_PREFIX)
    return NAMELESS_DEVICE if device is None or is_secret else device


def _entered(member: Member, issued: IssuedToken) -> dict[str, Any]:
    who = {"id": member.id, "name": member.name, "role": member.role, "permissions": issued.scopes}
    return {"token": issued.secret, "expires_at": issued.expires_at, "staff": who}


def _wrong(sentence: str) -> Unauthenticated:
    return Unauthenticated(sentence, extras={"reason": "invalid_credentials"})
