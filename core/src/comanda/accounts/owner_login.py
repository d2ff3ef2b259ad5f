"""Owners' passwords, and login by e-mail and password."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import login_attempts, passwords, services, web_sessions
from comanda.accounts.callers import OWNER_LOGIN_LIFETIME
from comanda.accounts.records import AuthenticatedOwner
from comanda.accounts.services import IssuedToken
from comanda.accounts.sign_in import one_time_tokens, owner_two_factor
from comanda.basics.errors import NotFound, Unauthenticated
from comanda.basics.sentences import Sentence
from comanda.contracts.web.sign_in import PasswordAttempt, SecondFactor, VerifiedLogin
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

# Guesses of one owner's password, from wherever they come.
ATTEMPTS_PER_OWNER: Final = login_attempts.LockoutRules(failures=10, window=timedelta(minutes=15))
# Guesses of one password for many owners. A success does not reset them, since the guesser may be an owner too.
ATTEMPTS_PER_NETWORK: Final = login_attempts.LockoutRules(failures=100, window=timedelta(minutes=15))
# The attempts of nobody in particular: who logs in is not known yet.
NO_OWNER: Final = one_time_tokens.NO_OWNER
# The one-time tokens of links to a new password.
RESET_PURPOSE: Final = "password_reset"

SELECT_EMAIL: Final = "SELECT email FROM core_owner WHERE id = $1"
UPDATE_CREDENTIALS: Final = """
    UPDATE core_owner SET password_hash = $2, password_version = password_version + 1 WHERE id = $1
"""
SELECT_HASH: Final = "SELECT password_hash FROM core_owner WHERE id = $1"
SELECT_LOGIN: Final = """
    SELECT id, email, name, plan, is_suspended, password_hash, password_version FROM core_owner WHERE email = $1
"""
UPDATE_HASH: Final = "UPDATE core_owner SET password_hash = $2 WHERE id = $1 AND password_hash = $3"
SELECT_BY_EMAIL: Final = """
    SELECT id, is_suspended, password_version FROM core_owner WHERE email = $1 AND password_hash IS NOT NULL
"""
SELECT_BY_ID: Final = """
    SELECT id, is_suspended, password_version FROM core_owner WHERE id = $1 AND password_hash IS NOT NULL
"""
LOCK_OWNER: Final = "SELECT is_suspended, password_version FROM core_owner WHERE id = $1 FOR SHARE"


async def set_owner_password(owner_id: int, password: str, *, except_session_id: int | None = None) -> None:
    """Set an owner's password, end the owner's other web sessions and revoke the tokens of the owner's logins.

    Links to a new password end as well. Raises ``NotFound`` if there is no such owner, and ``ValidationFailed`` if the
    password breaks a rule.
    """
    email = await sql.fetch_value(SELECT_EMAIL, owner_id)
    if email is None:
        raise NotFound(f"There is no owner {owner_id}.")
    passwords.check_password(password, email, refuse_common=True)
    password_hash = await passwords.hash_password(password)
    async with sql.transaction():
        await sql.execute(UPDATE_CREDENTIALS, owner_id, password_hash)
        await web_sessions.end_sessions_of(owner_id, "owner", except_id=except_session_id)
        await services.revoke_tokens(owner_id, "owner", owner_id)
        await one_time_tokens.delete_tokens(owner_id, RESET_PURPOSE)


async def is_owner_password(owner_id: int, password: str) -> bool:
    """Return whether an owner has this password. Attempts are not counted; see ``confirm_password``."""
    return (await passwords.verify_password(password, await sql.fetch_value(SELECT_HASH, owner_id))).is_right


async def login_owner(
    email: str, password: str, network: str, second_factor: SecondFactor | None = None
) -> AuthenticatedOwner:
    """Return the owner with this e-mail address and password, and the second factor if two-factor is on.

    ``network`` is the one that the request came from. Raises what ``verify_login`` and ``owner_two_factor.verify``
    raise; see ``verify_login``.
    """
    owner = await verify_login(email, password, network)
    await owner_two_factor.verify(owner.id, second_factor)
    return owner


async def verify_login(email: str, password: str, network: str) -> AuthenticatedOwner:
    """Return the owner with this e-mail address and password, whose second factor is still to be checked.

    Call it outside a transaction. Issue a credential afterwards in a transaction that begins with
    ``lock_login``, because the password may be changed meanwhile.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the e-mail
    address is known; ``NotFound`` with the reason ``account_suspended`` if the password is right and the owner
    suspended; ``RateLimited`` after too many attempts with one e-mail address or from one network.
    """
    address = email.strip().casefold()
    await login_attempts.count_attempt(
        NO_OWNER, await hmac_digest.hmac_digest("owner.network", network), ATTEMPTS_PER_NETWORK
    )
    key = await hmac_digest.hmac_digest("owner.password", address)
    await login_attempts.count_attempt(NO_OWNER, key, ATTEMPTS_PER_OWNER)
    row = await sql.fetch_one(SELECT_LOGIN, address) if "\0" not in address else None
    known_hash = row["password_hash"] if row is not None else None
    check = await passwords.verify_password(password, known_hash)
    if row is None or not check.is_right:
        raise _create_credentials_error()
    if check.new_hash is not None:
        await sql.execute(UPDATE_HASH, row["id"], check.new_hash, known_hash)
    await login_attempts.reset_attempts(NO_OWNER, key)
    if row["is_suspended"]:
        raise _create_suspension_error()
    return AuthenticatedOwner(row["id"], row["email"], row["name"], row["plan"], row["password_version"])


async def lock_login(owner: AuthenticatedOwner) -> None:
    """Lock a login for the open transaction, so that no password change comes before the credential it issues.

    Raises ``Unauthenticated`` if the password has changed since, ``NotFound`` if the owner was suspended.
    """
    await _lock_owner(owner.id, owner.password_version)


class OwnerPasswordLogin:
    """How owners sign in on pages."""

    async def verify(self, attempt: PasswordAttempt) -> VerifiedLogin:
        """Check an e-mail address and a password. Raises what ``verify_login`` raises."""
        owner = await verify_login(attempt.email, attempt.password, attempt.network)
        needs_second_factor = await owner_two_factor.is_enabled(owner.id)
        return VerifiedLogin(owner.id, None, None, str(owner.password_version), needs_second_factor)

    async def open_session(self, login: VerifiedLogin, second_factor: SecondFactor | None, browser_name: str) -> str:
        """Create a web session and return its secret. Raises what ``login_owner`` and ``lock_login`` raise."""
        await owner_two_factor.verify(login.owner_id, second_factor)
        async with sql.transaction():
            await _lock_owner(login.owner_id, int(login.version))
            secret, _ = await web_sessions.create_session(owner_id=login.owner_id, name=browser_name)
        return secret

    async def confirm(self, owner_id: int, subject_id: int | None, password: str) -> bool:
        """Return whether the owner has this password. Raises ``RateLimited``."""
        return await confirm_password(owner_id, password)

    async def find_by_email(self, email: str) -> Sequence[VerifiedLogin]:
        """Return the owner with this e-mail address and a password. Raises ``NotFound`` for a suspended one."""
        row = await sql.fetch_one(SELECT_BY_EMAIL, email)
        return [] if row is None else [await _to_login(row)]

    async def find(self, owner_id: int, subject_id: int | None) -> VerifiedLogin | None:
        """Return an owner with a password, or None. Raises ``NotFound`` for a suspended one."""
        row = await sql.fetch_one(SELECT_BY_ID, owner_id)
        return None if row is None else await _to_login(row)


async def _to_login(row: sql.Row) -> VerifiedLogin:
    if row["is_suspended"]:
        raise _create_suspension_error()
    return VerifiedLogin(
        row["id"], None, None, str(row["password_version"]), await owner_two_factor.is_enabled(row["id"])
    )


async def confirm_password(owner_id: int, password: str) -> bool:
    """Return whether an owner who is signed in has this password. Raises ``RateLimited`` after too many attempts."""
    key = await hmac_digest.hmac_digest("owner.confirm", str(owner_id))
    await login_attempts.count_attempt(owner_id, key, ATTEMPTS_PER_OWNER)
    is_right = await is_owner_password(owner_id, password)
    if is_right:
        await login_attempts.reset_attempts(owner_id, key)
    return is_right


async def issue_login_token(owner: AuthenticatedOwner, *, name: str) -> IssuedToken:
    """Create the access token of a login for every scope; each use extends it to 90 days. ``name`` is the device's.

    It has the owner as its subject, unlike personal tokens, and is revoked when the password changes. Raises what
    ``lock_login`` raises.
    """
    async with sql.transaction():
        await lock_login(owner)
        return await services.issue_token(
            runtime.registry().caller_kinds["owner"],
            owner.id,
            ["*"],
            name=name,
            subject_id=owner.id,
            lifetime=OWNER_LOGIN_LIFETIME,
        )


async def _lock_owner(owner_id: int, password_version: int) -> None:
    row = await sql.fetch_one(LOCK_OWNER, owner_id)
    if row is None or row["password_version"] != password_version:
        raise _create_credentials_error()
    if row["is_suspended"]:
        raise _create_suspension_error()


def _create_credentials_error() -> Unauthenticated:
    return Unauthenticated(Sentence("Invalid e-mail or password."), extras={"reason": "invalid_credentials"})


def _create_suspension_error() -> NotFound:
    return NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
