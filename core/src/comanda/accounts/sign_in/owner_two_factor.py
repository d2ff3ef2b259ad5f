"""Two-factor of owners: codes of an authenticator app, and ten recovery codes that are good once each."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from comanda.accounts import login_attempts, totp
from comanda.accounts.models import TOTP_PENDING_SECRET, TOTP_SECRET
from comanda.basics import clock
from comanda.basics.errors import Conflict, Unauthenticated, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.contracts.web.sign_in import SecondFactor
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest
from comanda.platform.encryption.values import DecryptionFailed, decrypt, encrypt

log = structlog.get_logger(__name__)

SETUP_LIFETIME: Final = timedelta(minutes=10)
CODE_ATTEMPTS: Final = login_attempts.LockoutRules(failures=5, window=timedelta(minutes=15))

SELECT_TOTP: Final = """
    SELECT secret, pending_secret, pending_until, last_step FROM core_owner_totp WHERE owner_id = $1
"""
LOCK_TOTP: Final = f"{SELECT_TOTP} FOR UPDATE"
UPSERT_PENDING: Final = """
    INSERT INTO core_owner_totp AS t (owner_id, pending_secret, pending_until) VALUES ($1, $2, $3)
    ON CONFLICT (owner_id) DO UPDATE
        SET pending_secret = EXCLUDED.pending_secret, pending_until = EXCLUDED.pending_until
        WHERE t.owner_id = $1 AND t.secret IS NULL
    RETURNING owner_id
"""
CONFIRM_TOTP: Final = """
    UPDATE core_owner_totp SET secret = $2, last_step = $3, pending_secret = NULL, pending_until = NULL
    WHERE owner_id = $1
"""
UPDATE_STEP: Final = "UPDATE core_owner_totp SET last_step = $2 WHERE owner_id = $1"
DELETE_TOTP: Final = "DELETE FROM core_owner_totp WHERE owner_id = $1"
INSERT_CODES: Final = """
    INSERT INTO core_owner_recovery_code (owner_id, code_hash) SELECT $1, unnest($2::bytea[])
"""
USE_CODE: Final = """
    UPDATE core_owner_recovery_code SET used_at = $3 WHERE owner_id = $1 AND code_hash = $2 AND used_at IS NULL
"""
COUNT_CODES: Final = "SELECT count(*) FROM core_owner_recovery_code WHERE owner_id = $1 AND used_at IS NULL"
DELETE_CODES: Final = "DELETE FROM core_owner_recovery_code WHERE owner_id = $1"


@dataclass(frozen=True, slots=True)
class PendingTotp:
    """A secret that the owner's app has to confirm: as text, and as a QR code."""

    secret: str
    qr_svg: str


async def is_enabled(owner_id: int) -> bool:
    """Return whether an owner's login needs a second factor."""
    row = await sql.fetch_one(SELECT_TOTP, owner_id)
    return row is not None and row["secret"] is not None


async def count_recovery_codes(owner_id: int) -> int:
    """Return how many recovery codes are not used."""
    return int(await sql.fetch_value(COUNT_CODES, owner_id))


async def start_setup(owner_id: int, email: str) -> PendingTotp:
    """Create a secret to be confirmed, replacing an earlier one. Raises ``Conflict`` while two-factor is on."""
    secret = totp.create_secret()
    pending = encrypt(secret, TOTP_PENDING_SECRET, owner_id)
    if await sql.fetch_value(UPSERT_PENDING, owner_id, pending, clock.now() + SETUP_LIFETIME) is None:
        raise Conflict(Sentence("Two-factor is already on. Turn it off first."))
    return PendingTotp(secret, totp.render_qr_code(totp.get_uri(secret, email)))


async def get_pending(owner_id: int, email: str) -> PendingTotp | None:
    """Return the secret that waits for confirmation, or None."""
    row = await sql.fetch_one(SELECT_TOTP, owner_id)
    if row is None or row["pending_secret"] is None or row["pending_until"] <= clock.now():
        return None
    secret = _decrypt(row["pending_secret"], TOTP_PENDING_SECRET, owner_id)
    return None if secret is None else PendingTotp(secret, totp.render_qr_code(totp.get_uri(secret, email)))


async def confirm_setup(owner_id: int, code: str) -> list[str]:
    """Turn two-factor on with a first code and return the recovery codes, which cannot be read again.

    Raises ``ValidationFailed`` on ``code``, ``RateLimited``.
    """
    key = await _count_attempt(owner_id)
    async with sql.transaction():
        row = await sql.fetch_one(LOCK_TOTP, owner_id)
        if row is None or row["pending_secret"] is None or row["pending_until"] <= clock.now():
            raise ValidationFailed(code=[Sentence("The setup has expired. Start again.")])
        secret = _decrypt(row["pending_secret"], TOTP_PENDING_SECRET, owner_id)
        step = totp.find_step(secret, code, 0) if secret is not None else None
        if secret is None or step is None:
            raise _create_code_error()
        await sql.execute(CONFIRM_TOTP, owner_id, encrypt(secret, TOTP_SECRET, owner_id), step)
        codes = await _replace_recovery_codes(owner_id)
    await login_attempts.reset_attempts(owner_id, key)
    return codes


async def replace_recovery_codes(owner_id: int) -> list[str]:
    """Return new recovery codes; those before are worth nothing. Raises ``Conflict`` while two-factor is off."""
    async with sql.transaction():
        row = await sql.fetch_one(LOCK_TOTP, owner_id)
        if row is None or row["secret"] is None:
            raise Conflict(Sentence("Two-factor is off."))
        return await _replace_recovery_codes(owner_id)


@sql.transaction()
async def disable(owner_id: int) -> None:
    """Turn two-factor off and delete its recovery codes."""
    await sql.execute(DELETE_TOTP, owner_id)
    await sql.execute(DELETE_CODES, owner_id)


async def verify(owner_id: int, second_factor: SecondFactor | None) -> None:
    """Check an owner's second factor, if two-factor is on, and use it up.

    Call it outside a transaction, as attempts must be counted. Raises ``Unauthenticated`` with the reason
    ``two_factor_required`` if it is missing, ``ValidationFailed`` if it is wrong, ``RateLimited`` after 5 wrong ones.
    """
    if (second_factor is not None and second_factor.is_checked_elsewhere) or not await is_enabled(owner_id):
        return
    if second_factor is None or not (second_factor.otp or second_factor.recovery_code):
        raise Unauthenticated(
            Sentence("The code of the authenticator app is required."), extras={"reason": "two_factor_required"}
        )
    key = await _count_attempt(owner_id)
    async with sql.transaction():
        # Locked, so that of two simultaneous requests with one code only one is accepted.
        row = await sql.fetch_one(LOCK_TOTP, owner_id)
        if row is not None and row["secret"] is not None:
            await _use(owner_id, row, second_factor)
    await login_attempts.reset_attempts(owner_id, key)


async def _use(owner_id: int, row: sql.Row, second_factor: SecondFactor) -> None:
    if second_factor.otp:
        secret = _decrypt(row["secret"], TOTP_SECRET, owner_id)
        step = totp.find_step(secret, second_factor.otp, row["last_step"]) if secret is not None else None
        if step is None:
            raise _create_code_error("otp")
        await sql.execute(UPDATE_STEP, owner_id, step)
        return
    code_hash = await _hash_code(owner_id, second_factor.recovery_code or "")
    if not await sql.execute(USE_CODE, owner_id, code_hash, clock.now()):
        raise _create_code_error("recovery_code")


async def _replace_recovery_codes(owner_id: int) -> list[str]:
    codes = totp.create_recovery_codes()
    await sql.execute(DELETE_CODES, owner_id)
    await sql.execute(INSERT_CODES, owner_id, [await _hash_code(owner_id, code) for code in codes])
    return [totp.format_recovery_code(code) for code in codes]


async def _hash_code(owner_id: int, code: str) -> bytes:
    # 31^10 codes cannot be brute-forced, so the hash need not be slow.
    return await hmac_digest.hmac_digest("owner.recovery", str(owner_id), totp.normalize_recovery_code(code))


async def _count_attempt(owner_id: int) -> bytes:
    key = await hmac_digest.hmac_digest("owner.otp", str(owner_id))
    await login_attempts.count_attempt(owner_id, key, CODE_ATTEMPTS)
    return key


def _decrypt(stored: str, column: EncryptedColumn, owner_id: int) -> str | None:
    """Return the secret, or None if its encryption key is lost; recovery codes still work then."""
    try:
        return decrypt(stored, column, owner_id)
    except DecryptionFailed as error:
        log.error("totp_secret_unreadable", owner_id=owner_id, error=str(error))
        return None


def _create_code_error(field: str = "code") -> ValidationFailed:
    return ValidationFailed(
        {field: [Sentence("This code is wrong or already used.")]}, extras={"reason": "otp_invalid"}
    )
