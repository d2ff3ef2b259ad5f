"""Two-factor authentication: codes of an authenticator app, and ten one-time recovery codes.

``comanda.accounts.totp`` says which codes are accepted; an accepted step and all steps before it are never accepted
again.
"""

from datetime import timedelta
from typing import Final

import structlog
from comanda.accounts import login_attempts, passwords, totp
from comanda.basics import Conflict, Sentence, Unauthenticated, ValidationFailed, clock, require_found
from comanda.contracts import Caller, EncryptedColumn
from comanda.platform import encryption
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

from comanda_staff.models import TOTP_PENDING_SECRET, TOTP_SECRET, KnownDevice, Member, RecoveryCode
from comanda_staff.records import PendingTwoFactor
from comanda_staff.schemas.login import SecondFactorBody, TwoFactorOff
from comanda_staff.services.members import delete_two_factor

log = structlog.get_logger(__name__)

SETUP_LIFETIME: Final = timedelta(minutes=10)
CODE_ATTEMPTS: Final = login_attempts.LockoutRules(failures=5, window=timedelta(minutes=15))

USE_RECOVERY_CODE = """
    UPDATE staff_recovery_code SET used_at = $4
    WHERE owner_id = $1 AND staff_id = $2 AND code_hash = $3 AND used_at IS NULL
"""


async def start_setup(caller: Caller) -> PendingTwoFactor:
    """Create a secret to be confirmed, replacing an earlier one. Raises ``Conflict`` while two-factor is on."""
    secret = totp.create_secret()
    async with sql.transaction():
        member = await _get_member(caller)
        if member.password_hash is None:
            raise Conflict(Sentence("Two-factor requires a login by e-mail and password."))
        if member.totp_secret is not None:
            raise Conflict(Sentence("Two-factor is already on. Turn it off first."))
        member.totp_pending_secret = encryption.encrypt(secret, TOTP_PENDING_SECRET, member.owner_id, member.id)
        member.totp_pending_until = clock.now() + SETUP_LIFETIME
        await member.save(update_fields=["totp_pending_secret", "totp_pending_until"])
    uri = totp.get_uri(secret, member.email or member.name)
    return PendingTwoFactor(secret, uri, totp.render_qr_code(uri), int(SETUP_LIFETIME.total_seconds()))


async def confirm_setup(caller: Caller, body: SecondFactorBody) -> list[str]:
    """Turn two-factor on with a first code and return the recovery codes, which cannot be read again.

    Raises ``ValidationFailed`` on ``code`` with the reason ``otp_invalid`` or ``otp_expired``, ``RateLimited``.
    """
    key = await _count_attempt(caller.owner_id, caller.subject_id or 0)
    async with sql.transaction():
        member = await _get_member(caller)
        if member.totp_pending_secret is None or member.totp_pending_until is None:
            raise Conflict(Sentence("Two-factor setup has not been started."))
        if member.totp_pending_until <= clock.now():
            raise _create_code_error("code", "otp_expired", "The setup has expired. Start again.")
        secret = _decrypt_secret(member.totp_pending_secret, TOTP_PENDING_SECRET, member)
        step = _find_step(secret, body.code, 0)
        if step is None:
            raise _create_code_error("code")
        await RecoveryCode.filter(owner_id=member.owner_id, staff_id=member.id).delete()
        member.totp_secret = encryption.encrypt(secret or "", TOTP_SECRET, member.owner_id, member.id)
        member.totp_last_step = step
        member.update_from_dict({"totp_pending_secret": None, "totp_pending_until": None})
        await member.save(update_fields=["totp_secret", "totp_last_step", "totp_pending_secret", "totp_pending_until"])
        codes = await _create_recovery_codes(member)
        # Earlier full logins used a password alone.
        await KnownDevice.filter(owner_id=member.owner_id, staff_id=member.id).delete()
    await login_attempts.reset_attempts(caller.owner_id, key)
    return codes


async def disable(caller: Caller, body: TwoFactorOff) -> None:
    """Turn two-factor off. Raises ``Unauthenticated`` for a wrong password, ``ValidationFailed`` for a wrong code."""
    key = await _count_attempt(caller.owner_id, caller.subject_id or 0)
    known = await _get_member(caller, is_locked=False)
    if not (await passwords.verify_password(body.password, known.password_hash)).is_right:
        raise Unauthenticated(Sentence("Invalid password."), extras={"reason": "invalid_credentials"})
    async with sql.transaction():
        member = await _get_member(caller)
        if member.totp_secret is None:
            raise Conflict(Sentence("Two-factor is already off."))
        await _verify_code(member, "code", body.code, body.recovery_code)
        await delete_two_factor(member)
    await login_attempts.reset_attempts(caller.owner_id, key)


async def verify(member: Member, otp: str | None, recovery_code: str | None) -> None:
    """Check a member's second factor and use it up, in the open transaction with the member locked.

    Raises ``Unauthenticated`` with the reason ``two_factor_required`` if it is missing, ``ValidationFailed`` if it is
    wrong.
    """
    if member.totp_secret is None:
        return
    if not otp and not recovery_code:
        raise create_required_error()
    await _verify_code(member, "otp", otp, recovery_code)


async def count_attempt(member: Member) -> bytes:
    """Count an attempt at a member's second factor, outside of a transaction. Raises ``RateLimited``."""
    return await _count_attempt(member.owner_id, member.id)


def create_required_error() -> Unauthenticated:
    """Return the error for a missing second factor."""
    return Unauthenticated(
        Sentence("The code of the authenticator app is required."), extras={"reason": "two_factor_required"}
    )


async def count_recovery_codes(member: Member) -> int:
    """Return the number of unused recovery codes."""
    return await RecoveryCode.filter(owner_id=member.owner_id, staff_id=member.id, used_at=None).count()


async def _verify_code(member: Member, field: str, otp: str | None, recovery_code: str | None) -> None:
    if otp:
        secret = _decrypt_secret(member.totp_secret or "", TOTP_SECRET, member)
        step = _find_step(secret, otp, member.totp_last_step)
        if step is None:
            raise _create_code_error(field)
        member.totp_last_step = step
        await member.save(update_fields=["totp_last_step"])
        return
    code_hash = await _hash_code(member, recovery_code or "")
    if not await sql.execute(USE_RECOVERY_CODE, member.owner_id, member.id, code_hash, clock.now()):
        raise _create_code_error("recovery_code")


def _decrypt_secret(stored: str, column: EncryptedColumn, member: Member) -> str | None:
    """Return the secret, or None if its encryption key is lost; recovery codes still work then."""
    try:
        return encryption.decrypt(stored, column, member.owner_id, member.id)
    except encryption.DecryptionFailed as error:
        log.error("totp_secret_unreadable", staff_id=member.id, error=str(error))
        return None


def _find_step(secret: str | None, code: str, last_step: int) -> int | None:
    return None if secret is None else totp.find_step(secret, code, last_step)


async def _create_recovery_codes(member: Member) -> list[str]:
    codes = totp.create_recovery_codes()
    await RecoveryCode.bulk_create(
        [
            RecoveryCode(owner_id=member.owner_id, staff_id=member.id, code_hash=await _hash_code(member, code))
            for code in codes
        ]
    )
    return [totp.format_recovery_code(code) for code in codes]


async def _hash_code(member: Member, code: str) -> bytes:
    # 31^10 codes cannot be brute-forced, so the hash need not be slow.
    return await hmac_digest.hmac_digest("staff.recovery", str(member.id), totp.normalize_recovery_code(code))


async def _count_attempt(owner_id: int, staff_id: int) -> bytes:
    key = await hmac_digest.hmac_digest("staff.otp", str(staff_id))
    await login_attempts.count_attempt(owner_id, key, CODE_ATTEMPTS)
    return key


async def _get_member(caller: Caller, *, is_locked: bool = True) -> Member:
    mine = Member.filter(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    return require_found(await (mine.select_for_update(no_key=True).first() if is_locked else mine.first()))


def _create_code_error(
    field: str, reason: str = "otp_invalid", sentence: str = Sentence("This code is wrong or already used.")
) -> ValidationFailed:
    return ValidationFailed({field: [sentence]}, extras={"reason": reason})
