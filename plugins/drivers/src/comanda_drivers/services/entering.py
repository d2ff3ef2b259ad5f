"""Logging in by a code that is sent to a phone, and out.

A phone is known to no owner, to one or to several; nothing that is answered before a code was right tells which, and
neither does the time it takes.
"""

from typing import Any, Final

import structlog
from comanda import clock
from comanda.accounts import codes
from comanda.accounts import services as accounts
from comanda.accounts.codes import LOGIN_RULES, CodeHolder, RedeemedCode
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound, RateLimited, ValidationFailed
from comanda.phones import normalize_phone
from comanda_notifications.api import send_template

from comanda_drivers import tokens
from comanda_drivers.messages import CODE
from comanda_drivers.schemas.entering import PhoneCodeBody, PhoneCodeRequest
from comanda_drivers.services import people

log = structlog.get_logger(__name__)

NAMELESS_DEVICE: Final = "A phone without a name"
MINUTES: Final = int(LOGIN_RULES.lifetime.total_seconds()) // 60

KNOWN: Final = """
    SELECT d.id, d.owner_id, d.store_id, d.name, o.name AS owner_name, o.is_suspended
    FROM drivers_driver d JOIN core_owner o ON o.id = d.owner_id
    WHERE d.phone = $1 AND d.deleted_at IS NULL AND d.is_active ORDER BY d.owner_id, d.id
"""
ANYBODY: Final = "SELECT id FROM core_owner ORDER BY id LIMIT 1"


class _Unsent(Exception):
    """Undoes the storing of a message to a phone that nobody is known by."""


async def request_code(body: PhoneCodeRequest, language: str | None = None, *, source: str = "") -> dict[str, Any]:
    """Send a code to a phone, alike for those who drive for somebody and those who do not.

    ``language`` is a tag or the value of ``Accept-Language``, ``source`` the address that asks.
    Raises ``ValidationFailed`` for what is no number, and ``RateLimited`` for what the source or the phone has had
    enough of.
    """
    phone = phone_of(body.phone)
    async with sql.transaction():
        code = await codes.issue_code(_holder(phone), source=source)
        if code is None:
            return _sent()
        known = [row for row in await sql.fetch(KNOWN, phone) if not row["is_suspended"]]
        if known:
            await _send(phone, code, known[0]["owner_id"], language)
        else:
            await _only_seem_to_send(phone, code, language)
    return _sent()


async def verify_code(body: PhoneCodeBody, *, source: str = "") -> dict[str, Any]:
    """Log in the driver who got a code.

    Raises ``ValidationFailed`` on ``code`` with the reason ``otp_invalid``, ``otp_expired`` or ``otp_exhausted``; on
    ``owner`` or ``driver_id``, with ``choices``, where it is not clear which driver it is, and the code stays good;
    ``NotFound`` with the reason ``account_suspended``.
    """
    phone = phone_of(body.phone)
    async with sql.transaction():
        proof = await codes.redeem_code([_holder(phone)], body.code, source=source)
        # What this raises takes the use of the code back.
        entered = await _enter(phone, body) if proof.holder is not None else None
    if entered is None:
        # A code that nobody was sent opens nothing, even if it was guessed.
        raise (proof if proof.holder is None else RedeemedCode(None, "otp_invalid")).refusal()
    return entered


async def logout(caller: Caller) -> dict[str, Any]:
    """Make the token that was used void, and no other."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)
    return {"message": "You are logged out."}


def phone_of(text: str) -> str:
    """Read a phone number. Raises ``ValidationFailed`` for one without its country's code, as no store tells it."""
    number = normalize_phone(text, None)
    if number is None or not number.startswith("+"):
        raise ValidationFailed(phone=["Give the number with its country's code, such as +351912345678."])
    return number


def _sent() -> dict[str, Any]:
    return {"sent": True, "expires_in": int(LOGIN_RULES.lifetime.total_seconds())}


def _holder(phone: str) -> CodeHolder:
    return CodeHolder("drivers", phone, "login", None)


async def _send(phone: str, code: str, owner_id: int, language: str | None) -> None:
    try:
        await send_template(
            CODE.name,
            to=phone,
            channel="sms",
            values={"code": code, "minutes": MINUTES},
            language=language,
            owner_id=owner_id,
            secret=True,
            expires_at=clock.now() + LOGIN_RULES.lifetime,
        )
    except RateLimited:
        # To tell would tell that the phone is somebody's.
        log.warning("driver_code_not_sent", owner_id=owner_id, reason="the owner's messages have had enough")


async def _only_seem_to_send(phone: str, code: str, language: str | None) -> None:
    """Do the work of sending, and undo it."""
    owner_id = await sql.fetch_value(ANYBODY)
    if owner_id is None:
        return
    try:
        async with sql.transaction():
            await _send(phone, code, owner_id, language)
            raise _Unsent
    except _Unsent:
        return


async def _enter(phone: str, body: PhoneCodeBody) -> dict[str, Any] | None:
    known = await sql.fetch(KNOWN, phone)
    if not known:
        return None
    open_to = [row for row in known if not row["is_suspended"]]
    if not open_to:
        raise NotFound("This account is suspended.", extras={"reason": "account_suspended"})
    chosen = _choose(open_to, body)
    driver = await people.lock(chosen["owner_id"], chosen["id"])
    if not driver.is_active:
        return None
    await sql.execute(people.SEEN, driver.id, driver.owner_id, clock.now())
    issued = await tokens.issue_for_phone(driver.owner_id, driver.id, body.device or NAMELESS_DEVICE)
    row = await sql.fetch_one(people.FIND, driver.id, driver.owner_id, None)
    assert row is not None  # noqa: S101 - its row is locked
    return {"token": issued.secret, "driver": people.record(row)}


def _choose(known: list[sql.Row], body: PhoneCodeBody) -> sql.Row:
    left = [row for row in known if body.owner in {None, row["owner_id"]} and body.driver_id in {None, row["id"]}]
    if len(left) == 1:
        return left[0]
    # A wrong answer is asked again, with everything there is to choose from.
    shown = left or known
    is_one_owners = len({row["owner_id"] for row in shown}) == 1
    field = "driver_id" if is_one_owners and body.owner in {None, shown[0]["owner_id"]} else "owner"
    raise ValidationFailed(
        {field: ["Say which of the choices you are."]}, extras={"choices": [_choice(row) for row in shown]}
    )


def _choice(row: sql.Row) -> dict[str, Any]:
    return {
        "owner": row["owner_id"],
        "owner_name": row["owner_name"],
        "driver_id": row["id"],
        "name": row["name"],
        "restaurant_id": row["store_id"],
    }
