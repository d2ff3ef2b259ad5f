"""Login of drivers by a code that is sent to their phone, and logout.

A phone may belong to drivers of no, one or several owners. Until a code was correct, neither responses nor their timing
reveal which.
"""

from typing import Final

import structlog
from comanda.accounts import LOGIN_RULES, CodeRecipient, RedeemedCode, codes
from comanda.accounts import services as accounts
from comanda.basics import NotFound, RateLimited, Sentence, ValidationFailed, clock, normalize_phone
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_notifications.api import send_template

from comanda_drivers.message_templates import LOGIN_CODE
from comanda_drivers.records.drivers import Driver, DriverSession
from comanda_drivers.schemas.login import DriverChoice, PhoneCodeBody, PhoneCodeRequest
from comanda_drivers.services.accounts import drivers, tokens

log = structlog.get_logger(__name__)

DEFAULT_DEVICE_NAME: Final = "A phone without a name"
CODE_LIFETIME_SECONDS: Final = int(LOGIN_RULES.lifetime.total_seconds())

SELECT_DRIVERS_BY_PHONE: Final = """
    SELECT d.id, d.owner_id, d.store_id, d.name, o.name AS owner_name, o.is_suspended
    FROM drivers_driver d JOIN core_owner_v1 o ON o.id = d.owner_id
    WHERE d.phone = $1 AND d.deleted_at IS NULL AND d.is_active ORDER BY d.owner_id, d.id
"""
SELECT_ANY_OWNER: Final = "SELECT id FROM core_owner_v1 ORDER BY id LIMIT 1"
# Of all owners: nobody has logged in yet.
SELECT_DEFAULT_COUNTRY: Final = """
    SELECT country FROM core_store_v1 WHERE country IS NOT NULL GROUP BY country ORDER BY count(*) DESC, country LIMIT 1
"""


class _SendRolledBack(Exception):
    """Rolls back the message to an unknown phone."""


async def request_code(body: PhoneCodeRequest, language: str | None = None, *, source: str = "") -> None:
    """Send a login code to a phone; nothing reveals whether the phone is known.

    ``language`` is a tag or the value of ``Accept-Language``, ``source`` the client's address. Raises
    ``ValidationFailed`` for an invalid number, ``RateLimited`` after too many requests of the source or for the phone.
    """
    phone = parse_phone(body.phone, body.country)
    async with sql.transaction():
        code = await codes.issue_code(_build_code_recipient(phone), source=source)
        if code is None:
            return
        known = [row for row in await sql.fetch(SELECT_DRIVERS_BY_PHONE, phone) if not row["is_suspended"]]
        if known:
            await _send_code(phone, code, known[0]["owner_id"], language)
        else:
            await _simulate_sending(phone, code, language)


async def verify_code(body: PhoneCodeBody, *, source: str = "") -> DriverSession:
    """Log in a driver with a code, and return a token.

    Raises ``ValidationFailed`` on ``code`` with the reason ``otp_invalid``, ``otp_expired`` or ``otp_exhausted``; on
    ``owner`` or ``driver_id`` with ``choices`` if several drivers have the phone, and the code stays valid;
    ``NotFound`` with the reason ``account_suspended``.
    """
    phone = parse_phone(body.phone, body.country)
    async with sql.transaction():
        proof = await codes.redeem_code([_build_code_recipient(phone)], body.code, source=source)
        # An error raised here rolls back the use of the code.
        session = await _log_in(phone, body) if proof.recipient is not None else None
    if session is None:
        # A code for an unknown phone was sent to nobody; even if guessed, it is invalid.
        raise (proof if proof.recipient is None else RedeemedCode(None, "otp_invalid")).to_error()
    return session


async def logout(caller: Caller) -> None:
    """Revoke the token of this request only."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)


async def get_default_country() -> str | None:
    """Return the country of most stores, which the page suggests for a number without a country code."""
    country: str | None = await sql.fetch_value(SELECT_DEFAULT_COUNTRY)
    return country


def parse_phone(text: str, country: str | None = None) -> str:
    """Parse a phone number, with its country code or as people of ``country`` write it. Raises ``ValidationFailed``."""
    number = normalize_phone(text, country)
    if number is None or not number.startswith("+"):
        if country is not None:
            raise ValidationFailed(phone=[Sentence("Must be a phone number.")])
        raise ValidationFailed(phone=[Sentence("Must include the country code, such as +351912345678.")])
    return number


def _build_code_recipient(phone: str) -> CodeRecipient:
    return CodeRecipient("drivers", phone, "login", None)


async def _send_code(phone: str, code: str, owner_id: int, language: str | None) -> None:
    try:
        await send_template(
            LOGIN_CODE.name,
            to=phone,
            channel="sms",
            values={"code": code, "minutes": CODE_LIFETIME_SECONDS // 60},
            language=language,
            owner_id=owner_id,
            secret=True,
            expires_at=clock.now() + LOGIN_RULES.lifetime,
        )
    except RateLimited:
        # An error would reveal that the phone is known.
        log.warning("driver_code_not_sent", owner_id=owner_id, reason="message limit of the owner")


async def _simulate_sending(phone: str, code: str, language: str | None) -> None:
    """Store a message and roll it back, so that unknown phones take the same time."""
    owner_id = await sql.fetch_value(SELECT_ANY_OWNER)
    if owner_id is None:
        return
    try:
        async with sql.transaction():
            await _send_code(phone, code, owner_id, language)
            raise _SendRolledBack
    except _SendRolledBack:
        return


async def _log_in(phone: str, body: PhoneCodeBody) -> DriverSession | None:
    known = await sql.fetch(SELECT_DRIVERS_BY_PHONE, phone)
    if not known:
        return None
    active = [row for row in known if not row["is_suspended"]]
    if not active:
        raise NotFound(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
    selected = _select_driver(active, body)
    driver = await drivers.lock_driver(selected["owner_id"], selected["id"])
    if not driver.is_active:
        return None
    await sql.execute(drivers.UPDATE_LAST_SEEN, driver.id, driver.owner_id, clock.now())
    issued = await tokens.issue_login_token(driver.owner_id, driver.id, body.device or DEFAULT_DEVICE_NAME)
    row = await sql.one(drivers.SELECT_DRIVER, driver.id, driver.owner_id, None)
    return DriverSession(issued.secret, sql.to_record(Driver, row))


def _select_driver(known: list[sql.Row], body: PhoneCodeBody) -> sql.Row:
    matching = [row for row in known if body.owner in {None, row["owner_id"]} and body.driver_id in {None, row["id"]}]
    if len(matching) == 1:
        return matching[0]
    # If nothing matches, offer all choices again.
    candidates = matching or known
    is_single_owner = len({row["owner_id"] for row in candidates}) == 1
    field = "driver_id" if is_single_owner and body.owner in {None, candidates[0]["owner_id"]} else "owner"
    raise ValidationFailed(
        {field: [Sentence("Choose one of the choices.")]},
        extras={"choices": [_to_choice(row).model_dump() for row in candidates]},
    )


def _to_choice(row: sql.Row) -> DriverChoice:
    return DriverChoice(
        owner=row["owner_id"],
        owner_name=row["owner_name"],
        driver_id=row["id"],
        name=row["name"],
        restaurant_id=row["store_id"],
    )
