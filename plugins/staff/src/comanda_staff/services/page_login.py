"""Sign-in of staff on pages by e-mail and password, at the store whose password it is."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from comanda.accounts import login_attempts, passwords, web_sessions
from comanda.basics import NotFound, Sentence, Unauthenticated, clock
from comanda.contracts import PasswordAttempt, SecondFactor, VerifiedLogin
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest
from pydantic import ValidationError

from comanda_staff.models import Member
from comanda_staff.schemas.login import StaffLoginBody
from comanda_staff.services import login, store_selection, stores, two_factor
from comanda_staff.services.permissions import list_permissions

# Of one e-mail address; people with more accounts sign in with a password.
MAX_LOGINS: Final = 4
SELECT_BY_EMAIL: Final = """
    SELECT m.id, m.owner_id, m.store_id, m.password_hash, m.totp_secret, o.is_suspended
    FROM staff_member m JOIN core_owner_v1 o ON o.id = m.owner_id
    WHERE m.email = $1 AND m.is_active AND m.password_hash IS NOT NULL
    ORDER BY o.is_suspended, m.id LIMIT $2
"""
SELECT_BY_ID: Final = """
    SELECT m.id, m.owner_id, m.store_id, m.password_hash, m.totp_secret, o.is_suspended
    FROM staff_member m JOIN core_owner_v1 o ON o.id = m.owner_id
    WHERE m.owner_id = $1 AND m.id = $2 AND m.is_active AND m.password_hash IS NOT NULL
"""


class StaffPasswordLogin:
    """How members of staff sign in on pages."""

    async def verify(self, attempt: PasswordAttempt) -> VerifiedLogin:
        """Check an e-mail address and a password.

        Raises ``Unauthenticated``, ``ValidationFailed`` with ``choices`` if the password is that of several stores, and
        ``NotFound`` if the owner is suspended; see ``store_selection``.
        """
        try:
            body = StaffLoginBody(email=attempt.email, password=attempt.password)
        except ValidationError:
            raise login.create_credentials_error() from None
        if attempt.store_id is None:
            store = await store_selection.find_store_of_login(body)
        else:
            store = await stores.get_store(attempt.store_id)
        key = await login.count_password_attempt(store, body.email)
        mine = Member.filter(owner_id=store.owner_id, store_id=store.id, is_active=True)
        member = await mine.get_or_none(email=body.email)
        known_hash = member.password_hash if member is not None else None
        check = await passwords.verify_password(attempt.password, known_hash)
        if member is None or known_hash is None or not check.is_right:
            raise login.create_credentials_error()
        await login_attempts.reset_attempts(store.owner_id, key)
        return VerifiedLogin(
            store.owner_id, store.id, member.id, _to_version(known_hash), member.totp_secret is not None
        )

    async def open_session(self, login: VerifiedLogin, second_factor: SecondFactor | None, browser_name: str) -> str:
        """Create a web session with the member's permissions and return its secret.

        Raises ``Unauthenticated`` if the password has changed or the member was deactivated since, or without a second
        factor that is needed; ``ValidationFailed`` for a wrong one; ``RateLimited``.
        """
        mine = Member.filter(owner_id=login.owner_id, store_id=login.store_id, id=login.subject_id, is_active=True)
        known = await mine.first()
        factor = second_factor or SecondFactor()
        key = None
        if known is not None and known.totp_secret is not None and (factor.otp or factor.recovery_code):
            key = await two_factor.count_attempt(known)
        async with sql.transaction():
            member = await mine.select_for_update(no_key=True).first()
            if member is None or member.password_hash is None or _to_version(member.password_hash) != login.version:
                raise Unauthenticated(Sentence("Invalid e-mail or password."), extras={"reason": "invalid_credentials"})
            if not factor.is_checked_elsewhere:
                await two_factor.verify(member, factor.otp, factor.recovery_code)
            member.last_login_at = clock.now()
            await member.save(update_fields=["last_login_at"])
            secret, _ = await web_sessions.create_session(
                owner_id=member.owner_id,
                kind="staff",
                store_id=member.store_id,
                subject_id=member.id,
                scopes=list_permissions(member),
                name=browser_name,
            )
        if key is not None:
            await login_attempts.reset_attempts(login.owner_id, key)
        return secret

    async def confirm(self, owner_id: int, subject_id: int | None, password: str) -> bool:
        """Return whether the member has this password. Raises ``RateLimited``."""
        key = await hmac_digest.hmac_digest("staff.confirm", str(subject_id))
        await login_attempts.count_attempt(owner_id, key, login.PASSWORD_ATTEMPTS)
        member = await Member.get_or_none(owner_id=owner_id, id=subject_id, is_active=True)
        known_hash = member.password_hash if member is not None else None
        is_right = (await passwords.verify_password(password, known_hash)).is_right
        if is_right:
            await login_attempts.reset_attempts(owner_id, key)
        return is_right

    async def find_by_email(self, email: str) -> Sequence[VerifiedLogin]:
        """Return the members of staff with this e-mail address. Raises ``NotFound`` if all owners are suspended."""
        rows = await sql.fetch(SELECT_BY_EMAIL, email, MAX_LOGINS)
        if rows and rows[0]["is_suspended"]:
            raise _create_suspension_error()
        return [_to_login(row) for row in rows if not row["is_suspended"]]

    async def find(self, owner_id: int, subject_id: int | None) -> VerifiedLogin | None:
        """Return an active member of staff with a password, or None. Raises ``NotFound`` for a suspended owner."""
        row = await sql.fetch_one(SELECT_BY_ID, owner_id, subject_id)
        if row is not None and row["is_suspended"]:
            raise _create_suspension_error()
        return None if row is None else _to_login(row)


def _to_login(row: sql.Row) -> VerifiedLogin:
    version = _to_version(row["password_hash"])
    return VerifiedLogin(row["owner_id"], row["store_id"], row["id"], version, row["totp_secret"] is not None)


def _create_suspension_error() -> NotFound:
    return NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})


def _to_version(password_hash: str) -> str:
    """Return what changes with the password; the hash itself stays in the table."""
    return sha256(password_hash.encode()).hexdigest()
