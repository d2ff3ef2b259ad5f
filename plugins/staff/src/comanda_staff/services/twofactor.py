"""The second factor: codes of an authenticator app, and ten codes on paper for when it is gone.

Source: RFC 6238 with SHA-1, six digits, steps of 30 seconds. A step before and after the current one count, since
clocks differ; a step that was accepted never counts again, nor does any before it.
"""

import hmac
import secrets
from datetime import timedelta
from typing import Any, Final

import pyotp
import segno
import structlog
from comanda import clock, encryption
from comanda.accounts import login_attempts, passwords
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.encryption import EncryptedColumn, hmac_digest
from comanda.errors import Conflict, NotFound, Unauthenticated, ValidationFailed

from comanda_staff.models import TOTP_PENDING_SECRET, TOTP_SECRET, Device, Member, RecoveryCode
from comanda_staff.schemas.entering import SecondFactorBody, TwoFactorOff
from comanda_staff.services.members import forget_two_factor

log = structlog.get_logger(__name__)

ISSUER: Final = "Comanda"
STEP_SECONDS: Final = 30
PENDING: Final = timedelta(minutes=10)
CODES: Final = 10
# Nobody mistakes one of these for another.
ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
HALF: Final = 5
GUESSES: Final = login_attempts.LockoutRules(failures=5, window=timedelta(minutes=15))

USE = """
    UPDATE staff_recovery_code SET used_at = $4
    WHERE owner_id = $1 AND staff_id = $2 AND code_hash = $3 AND used_at IS NULL
"""


async def set_up(caller: Caller) -> dict[str, Any]:
    """Make a secret that waits to be confirmed; asked again, another. Raises ``Conflict`` while two-factor is on."""
    secret = pyotp.random_base32()
    async with sql.transaction():
        found = await _own(caller)
        if found.password_hash is None:
            raise Conflict("Only a login by e-mail and password can have a second factor.")
        if found.totp_secret is not None:
            raise Conflict("Two-factor is on already. Turn it off first.")
        found.totp_pending_secret = encryption.encrypt(secret, TOTP_PENDING_SECRET, found.owner_id, found.id)
        found.totp_pending_until = clock.now() + PENDING
        await found.save(update_fields=["totp_pending_secret", "totp_pending_until"])
    uri = pyotp.TOTP(secret).provisioning_uri(name=found.email or found.name, issuer_name=ISSUER)
    drawn = segno.make(uri, error="m").svg_inline(scale=4, border=4)
    return {"secret": secret, "otpauth_uri": uri, "qr_svg": drawn, "expires_in": int(PENDING.total_seconds())}


async def confirm(caller: Caller, body: SecondFactorBody) -> dict[str, Any]:
    """Turn two-factor on with a first code, and return the recovery codes, which nobody can read again.

    Raises ``ValidationFailed`` on ``code`` with the reason ``otp_invalid`` or ``otp_expired``, ``RateLimited``.
    """
    key = await _count(caller.owner_id, caller.subject_id or 0)
    async with sql.transaction():
        found = await _own(caller)
        if found.totp_pending_secret is None or found.totp_pending_until is None:
            raise Conflict("Two-factor is not being set up.")
        if found.totp_pending_until <= clock.now():
            raise _wrong("code", "otp_expired", "This took too long. Set it up again.")
        secret = _decrypted(found.totp_pending_secret, TOTP_PENDING_SECRET, found)
        step = _step_of(secret, body.code, 0)
        if step is None:
            raise _wrong("code")
        await RecoveryCode.filter(owner_id=found.owner_id, staff_id=found.id).delete()
        found.totp_secret = encryption.encrypt(secret or "", TOTP_SECRET, found.owner_id, found.id)
        found.totp_last_step = step
        found.update_from_dict({"totp_pending_secret": None, "totp_pending_until": None})
        await found.save(update_fields=["totp_secret", "totp_last_step", "totp_pending_secret", "totp_pending_until"])
        codes = await _new_codes(found)
        # Until now a password alone was a full login.
        await Device.filter(owner_id=found.owner_id, staff_id=found.id).delete()
    await login_attempts.reset_attempts(caller.owner_id, key)
    return {"two_factor": True, "recovery_codes": codes}


async def turn_off(caller: Caller, body: TwoFactorOff) -> dict[str, Any]:
    """Turn two-factor off. Raises ``Unauthenticated`` for a wrong password, ``ValidationFailed`` for a wrong code."""
    key = await _count(caller.owner_id, caller.subject_id or 0)
    known = await _own(caller, is_locked=False)
    if not (await passwords.verify_password(body.password, known.password_hash)).is_right:
        raise Unauthenticated("The password is wrong.", extras={"reason": "invalid_credentials"})
    async with sql.transaction():
        found = await _own(caller)
        if found.totp_secret is None:
            raise Conflict("Two-factor is off already.")
        await _must_prove(found, "code", body.code, body.recovery_code)
        await forget_two_factor(found)
    await login_attempts.reset_attempts(caller.owner_id, key)
    return {"two_factor": False}


async def prove(found: Member, otp: str | None, recovery_code: str | None) -> None:
    """Use up a member's second factor, in the open transaction with the member locked.

    Raises ``Unauthenticated`` with the reason ``two_factor_required`` where it is missing, ``ValidationFailed`` where
    it is wrong.
    """
    if found.totp_secret is None:
        return
    if not otp and not recovery_code:
        raise needed()
    await _must_prove(found, "otp", otp, recovery_code)


async def count_guess(found: Member) -> bytes:
    """Count a guess at a member's second factor, outside of a transaction. Raises ``RateLimited``."""
    return await _count(found.owner_id, found.id)


def needed() -> Unauthenticated:
    """Make the error for somebody whose second factor is missing."""
    return Unauthenticated("Send the code of the authenticator app too.", extras={"reason": "two_factor_required"})


async def codes_left(found: Member) -> int:
    """Count the recovery codes that are still good."""
    return await RecoveryCode.filter(owner_id=found.owner_id, staff_id=found.id, used_at=None).count()


async def _must_prove(found: Member, field: str, otp: str | None, recovery_code: str | None) -> None:
    if otp:
        secret = _decrypted(found.totp_secret or "", TOTP_SECRET, found)
        step = _step_of(secret, otp, found.totp_last_step)
        if step is None:
            raise _wrong(field)
        found.totp_last_step = step
        await found.save(update_fields=["totp_last_step"])
        return
    code_hash = await _code_hash(found, recovery_code or "")
    if not await sql.execute(USE, found.owner_id, found.id, code_hash, clock.now()):
        raise _wrong("recovery_code")


def _decrypted(stored: str, column: EncryptedColumn, found: Member) -> str | None:
    """Return a secret; None, with which no code fits, where its encryption key is lost. Recovery codes go on."""
    try:
        return encryption.decrypt(stored, column, found.owner_id, found.id)
    except encryption.DecryptionFailed as error:
        log.error("totp_secret_unreadable", staff_id=found.id, error=str(error))
        return None


def _step_of(secret: str | None, code: str, last_step: int) -> int | None:
    """Find the step whose code this is, among those that count and are later than ``last_step``."""
    if secret is None:
        return None
    now = int(clock.now().timestamp()) // STEP_SECONDS
    totp = pyotp.TOTP(secret)
    given = code.replace(" ", "").encode("utf-8", "surrogatepass")
    fitting = [step for step in (now - 1, now, now + 1) if hmac.compare_digest(totp.generate_otp(step).encode(), given)]
    return next((step for step in fitting if step > last_step), None)


async def _new_codes(found: Member) -> list[str]:
    codes = ["".join(secrets.choice(ALPHABET) for _ in range(2 * HALF)) for _ in range(CODES)]
    await RecoveryCode.bulk_create(
        [
            RecoveryCode(owner_id=found.owner_id, staff_id=found.id, code_hash=await _code_hash(found, code))
            for code in codes
        ]
    )
    return [f"{code[:HALF]}-{code[HALF:]}" for code in codes]


async def _code_hash(found: Member, code: str) -> bytes:
    # 31^10 codes: what they are cannot be found by trying, so the hash need not be slow.
    plain = "".join(mark for mark in code.lower() if mark in ALPHABET)
    return await hmac_digest.hmac_digest("staff.recovery", str(found.id), plain)


async def _count(owner_id: int, staff_id: int) -> bytes:
    key = await hmac_digest.hmac_digest("staff.otp", str(staff_id))
    await login_attempts.count_attempt(owner_id, key, GUESSES)
    return key


async def _own(caller: Caller, *, is_locked: bool = True) -> Member:
    mine = Member.filter(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    found = await (mine.select_for_update(no_key=True).first() if is_locked else mine.first())
    if found is None:
        raise NotFound
    return found


def _wrong(
    field: str, reason: str = "otp_invalid", sentence: str = "This code is wrong, or was used."
) -> ValidationFailed:
    return ValidationFailed({field: [sentence]}, extras={"reason": reason})
