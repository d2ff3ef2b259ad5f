"""Passkeys of owners (WebAuthn): registration, and sign-in without a name or a password.

A passkey is made for the host of the installation's address and works on its origin alone. The device verifies its
owner, by a PIN, a finger or a face, so it needs no second factor. Each challenge is a one-time token that the browser
keeps in a cookie, and is used up by the first answer, right or wrong.

Source: Web Authentication Level 3, sections 7.1 and 7.2.
"""

from base64 import urlsafe_b64decode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import asyncpg
import orjson
import structlog

from comanda.accounts import web_sessions
from comanda.accounts.models import Owner
from comanda.accounts.sign_in import one_time_tokens
from comanda.basics import clock
from comanda.basics.errors import Conflict, NotFound, Unauthenticated, ValidationFailed
from comanda.basics.lazy_imports import LazyModule
from comanda.basics.owner_prefix import add_owner_prefix, parse_owner_prefix
from comanda.basics.sentences import Sentence
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

if TYPE_CHECKING:
    import webauthn
    from webauthn.helpers import structs
else:
    webauthn = LazyModule("webauthn")
    structs = LazyModule("webauthn.helpers.structs")

log = structlog.get_logger(__name__)

RP_NAME: Final = "Comanda"
MAX_PASSKEYS: Final = 20
MAX_NAME_LENGTH: Final = 100
MAX_CREDENTIAL_LENGTH: Final = 20_000
REGISTRATION: Final = "passkey_register"
SIGN_IN: Final = "passkey_sign_in"
CONFIRM: Final = "passkey_confirm"
REGISTRATION_LIFETIME: Final = timedelta(minutes=10)
# As long as the form of the sign-in page, beside whose fields browsers offer passkeys.
SIGN_IN_LIFETIME: Final = timedelta(hours=1)
HANDLE_LENGTH: Final = 32
TRANSPORTS: Final = frozenset({"usb", "nfc", "ble", "internal", "hybrid", "smart-card", "cable"})

COLUMNS: Final = "id, name, is_backed_up, created_at, last_used_at"
SELECT_PASSKEYS: Final = f"SELECT {COLUMNS} FROM core_owner_passkey WHERE owner_id = $1 ORDER BY id"
SELECT_CREDENTIALS: Final = "SELECT credential_id, transports FROM core_owner_passkey WHERE owner_id = $1"
INSERT_PASSKEY: Final = f"""
    INSERT INTO core_owner_passkey
        (owner_id, credential_id, public_key, sign_count, name, transports, is_backed_up, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {COLUMNS}
"""
LOCK_PASSKEY: Final = """
    SELECT p.id, p.public_key, p.sign_count, o.is_suspended
    FROM core_owner_passkey p JOIN core_owner o ON o.id = p.owner_id
    WHERE p.owner_id = $1 AND p.credential_id = $2 FOR UPDATE OF p
"""
UPDATE_USE: Final = """
    UPDATE core_owner_passkey SET sign_count = $3, is_backed_up = $4, last_used_at = $5 WHERE owner_id = $1 AND id = $2
"""
RENAME_PASSKEY: Final = "UPDATE core_owner_passkey SET name = $3 WHERE owner_id = $1 AND id = $2"
DELETE_PASSKEY: Final = "DELETE FROM core_owner_passkey WHERE owner_id = $1 AND id = $2"


@dataclass(frozen=True, slots=True)
class PasskeySummary:
    """A passkey as its owner sees it; one that is backed up is synchronized between devices."""

    id: int
    name: str
    is_backed_up: bool
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class PasskeyAnswer:
    """What an authenticator has answered: the JSON to verify, and the owner whom it names, believed once it is."""

    credential: str
    credential_id: bytes
    owner_id: int | None
    transports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PasskeyChallenge:
    """What a browser needs to use or create a passkey, as JSON, and the challenge, which it keeps in a cookie."""

    options: str
    challenge: str


async def list_passkeys(owner_id: int) -> list[PasskeySummary]:
    """List an owner's passkeys, oldest first."""
    return [sql.to_record(PasskeySummary, row) for row in await sql.fetch(SELECT_PASSKEYS, owner_id)]


async def start_registration(owner: Owner) -> PasskeyChallenge:
    """Return the options to create a passkey. Raises ``Conflict`` beyond the number that an owner may have."""
    known = await sql.fetch(SELECT_CREDENTIALS, owner.id)
    if len(known) >= MAX_PASSKEYS:
        raise Conflict(Sentence("An account has at most %(limit)s passkeys. Delete one first.", limit=MAX_PASSKEYS))
    challenge = await one_time_tokens.create_token(owner.id, REGISTRATION, REGISTRATION_LIFETIME)
    options = webauthn.generate_registration_options(
        rp_id=_get_rp_id(),
        rp_name=RP_NAME,
        user_id=(await _get_user_handle(owner.id)).encode(),
        user_name=owner.email,
        user_display_name=owner.name,
        challenge=challenge.encode(),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=row["credential_id"]) for row in known],
    )
    return PasskeyChallenge(webauthn.options_to_json(options), challenge)


async def register(owner_id: int, challenge: str, credential: str, name: str) -> PasskeySummary:
    """Store a new passkey. Raises ``ValidationFailed`` for an answer that does not fit the challenge."""
    used = await one_time_tokens.use_token(challenge, REGISTRATION)
    answer = _parse(credential)
    if used is None or used.owner_id != owner_id or answer is None:
        raise _create_registration_error()
    try:
        verified = webauthn.verify_registration_response(
            credential=answer.credential,
            expected_challenge=challenge.encode(),
            expected_rp_id=_get_rp_id(),
            expected_origin=_get_origin(),
            require_user_verification=True,
        )
    except Exception as error:
        # The library parses what a stranger sends; whatever it stumbles over is a wrong answer.
        log.info("passkey_refused", owner_id=owner_id, error=str(error))
        raise _create_registration_error() from error
    values = (
        verified.credential_id,
        verified.credential_public_key,
        verified.sign_count,
        name.strip()[:MAX_NAME_LENGTH] or RP_NAME,
        list(answer.transports),
        verified.credential_backed_up,
        clock.now(),
    )
    try:
        row = await sql.one(INSERT_PASSKEY, owner_id, *values)
    except asyncpg.UniqueViolationError as error:
        raise Conflict(Sentence("This passkey is registered already.")) from error
    return sql.to_record(PasskeySummary, row)


async def rename(owner_id: int, passkey_id: int, name: str) -> None:
    """Rename a passkey. Raises ``NotFound`` for another owner's, ``ValidationFailed`` for an empty name."""
    text = name.strip()
    if not 1 <= len(text) <= MAX_NAME_LENGTH or "\0" in text:
        raise ValidationFailed(name=[Sentence("Must have 1 to %(limit)s characters.", limit=MAX_NAME_LENGTH)])
    if not await sql.execute(RENAME_PASSKEY, owner_id, passkey_id, text):
        raise NotFound


async def delete(owner_id: int, passkey_id: int) -> None:
    """Delete a passkey. Raises ``NotFound`` for another owner's."""
    if not await sql.execute(DELETE_PASSKEY, owner_id, passkey_id):
        raise NotFound


async def start_sign_in(owner_id: int | None = None) -> PasskeyChallenge:
    """Return the options to use a passkey: any of this installation, or one of an owner who is signed in."""
    purpose = SIGN_IN if owner_id is None else CONFIRM
    challenge = await one_time_tokens.create_token(owner_id or one_time_tokens.NO_OWNER, purpose, SIGN_IN_LIFETIME)
    known = [] if owner_id is None else await sql.fetch(SELECT_CREDENTIALS, owner_id)
    options = webauthn.generate_authentication_options(
        rp_id=_get_rp_id(),
        challenge=challenge.encode(),
        allow_credentials=[structs.PublicKeyCredentialDescriptor(id=row["credential_id"]) for row in known] or None,
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return PasskeyChallenge(webauthn.options_to_json(options), challenge)


async def sign_in(challenge: str, credential: str, browser_name: str) -> str:
    """Create a web session for the owner of a passkey and return its secret.

    Raises ``Unauthenticated`` for an answer that does not fit the challenge or is of no known passkey, and ``NotFound``
    for a suspended owner.
    """
    used = await one_time_tokens.use_token(challenge, SIGN_IN)
    answer = _parse(credential)
    owner_id = answer.owner_id if answer is not None else None
    if used is None or answer is None or owner_id is None:
        raise _create_sign_in_error()
    async with sql.transaction():
        await _verify(owner_id, challenge, answer)
        secret, _ = await web_sessions.create_session(owner_id=owner_id, name=browser_name)
    return secret


async def confirm(owner_id: int, challenge: str, credential: str) -> None:
    """Check that an owner who is signed in has used one of their passkeys. Raises ``Unauthenticated``."""
    used = await one_time_tokens.use_token(challenge, CONFIRM)
    answer = _parse(credential)
    if used is None or used.owner_id != owner_id or answer is None:
        raise _create_sign_in_error()
    async with sql.transaction():
        await _verify(owner_id, challenge, answer)


async def _verify(owner_id: int, challenge: str, answer: PasskeyAnswer) -> None:
    """Check an answer with the owner's passkey, and count its use, in the open transaction."""
    try:
        # Locked, because the counter must grow with each use.
        row = await sql.fetch_one(LOCK_PASSKEY, owner_id, answer.credential_id)
        if row is None:
            raise _create_sign_in_error()
        verified = webauthn.verify_authentication_response(
            credential=answer.credential,
            expected_challenge=challenge.encode(),
            expected_rp_id=_get_rp_id(),
            expected_origin=_get_origin(),
            credential_public_key=bytes(row["public_key"]),
            credential_current_sign_count=row["sign_count"],
            require_user_verification=True,
        )
    except (Unauthenticated, asyncpg.PostgresError, OSError):
        raise
    except Exception as error:
        log.info("passkey_refused", owner_id=owner_id, error=str(error))
        raise _create_sign_in_error() from error
    if row["is_suspended"]:
        raise NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
    values = (verified.new_sign_count, verified.credential_backed_up, clock.now())
    await sql.execute(UPDATE_USE, owner_id, row["id"], *values)


async def _get_user_handle(owner_id: int) -> str:
    """Return what authenticators know an owner by: which owner it is, and nothing else about them."""
    digest = (await hmac_digest.hmac_digest("owner.passkey", str(owner_id))).hex()
    return add_owner_prefix(owner_id, digest[:HANDLE_LENGTH])


def _parse(credential: str) -> PasskeyAnswer | None:
    """Return what an authenticator has answered, or None for text that is no such answer; nothing is verified yet."""
    try:
        document = orjson.loads(credential) if len(credential) <= MAX_CREDENTIAL_LENGTH else {}
        response = document["response"]
        credential_id = _decode(str(document["rawId"]))
        handle = _decode(str(response.get("userHandle") or "")).decode("ascii")
        found = response.get("transports")
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    transports = tuple(each for each in found if each in TRANSPORTS) if isinstance(found, list) else ()
    return PasskeyAnswer(credential, credential_id, parse_owner_prefix(handle, HANDLE_LENGTH), transports)


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _get_rp_id() -> str:
    return urlsplit(runtime.settings().site_url).hostname or ""


def _get_origin() -> str:
    parts = urlsplit(runtime.settings().site_url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def _create_registration_error() -> ValidationFailed:
    return ValidationFailed(credential=[Sentence("The passkey could not be added. Reload the page and try again.")])


def _create_sign_in_error() -> Unauthenticated:
    return Unauthenticated(
        Sentence("This passkey could not be verified. Reload the page and try again."),
        extras={"reason": "invalid_credentials"},
    )
