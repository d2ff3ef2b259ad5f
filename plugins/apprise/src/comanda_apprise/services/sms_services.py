"""The SMS services of owners: connected with a URL, which is stored encrypted."""

import re
from typing import Final

from comanda.basics import ValidationFailed, clock
from comanda.contracts import Caller, EncryptedColumn, OutgoingMessage
from comanda.platform import encryption
from comanda.platform.db import sql
from comanda.web import N_

from comanda_apprise.records import OwnSmsService
from comanda_apprise.services import client, twilio
from comanda_apprise.settings import has_one_recipient

TWILIO: Final = "twilio"
URL_COLUMN: Final = EncryptedColumn("apprise_sms_service", "url")
# Options after a question mark could turn off what protects this server and the guests' numbers, such as certificates.
URL_PATTERN: Final = re.compile(r"[a-z0-9]+://[^\s?#\\]+", re.ASCII)

UNKNOWN_SERVICE: Final = N_("Must begin with one of the services that can be connected, such as twilio://.")
WITH_OPTIONS: Final = N_("Must have neither spaces nor options: no question mark, # or backslash.")
WITHOUT_RECIPIENT: Final = N_("Must contain {to} once, in place of the telephone number.")
INCOMPLETE: Final = N_("This is not a complete URL of the service.")

SELECT_SERVICE: Final = "SELECT id, service, url, updated_at FROM apprise_sms_service WHERE owner_id = $1"
HAS_SERVICE: Final = "SELECT EXISTS (SELECT FROM apprise_sms_service WHERE owner_id = $1)"
UPSERT_SERVICE: Final = """
    INSERT INTO apprise_sms_service (owner_id, service, url, updated_at) VALUES ($1, $2, '', $3)
    ON CONFLICT (owner_id) DO UPDATE SET service = EXCLUDED.service, updated_at = EXCLUDED.updated_at RETURNING id
"""
UPDATE_URL: Final = "UPDATE apprise_sms_service SET url = $3 WHERE id = $1 AND owner_id = $2"
DELETE_SERVICE: Final = "DELETE FROM apprise_sms_service WHERE owner_id = $1"


async def get_service(caller: Caller) -> OwnSmsService:
    """Return the owner's service."""
    row = await sql.fetch_one(SELECT_SERVICE, caller.owner_id)
    services = tuple(sorted(client.MODULES))
    if row is None:
        return OwnSmsService(None, None, services, None)
    reply_url = twilio.get_reply_url(caller.owner_id) if row["service"] == TWILIO else None
    return OwnSmsService(row["service"], row["updated_at"], services, reply_url)


async def update_service(caller: Caller, url: str) -> OwnSmsService:
    """Connect a service, or replace the one that is connected. Raises ``ValidationFailed``."""
    await _check_url(url)
    async with sql.transaction():
        id = await sql.fetch_value(UPSERT_SERVICE, caller.owner_id, url.partition("://")[0], clock.now())
        encrypted = encryption.encrypt(url, URL_COLUMN, caller.owner_id, id)
        await sql.execute(UPDATE_URL, id, caller.owner_id, encrypted)
    return await get_service(caller)


@sql.transaction()
async def delete_service(caller: Caller) -> None:
    """Disconnect the service, if one is connected."""
    await sql.execute(DELETE_SERVICE, caller.owner_id)


async def has_service(message: OutgoingMessage) -> bool:
    """Return whether a message is of an owner with a service."""
    return message.owner_id is not None and bool(await sql.fetch_value(HAS_SERVICE, message.owner_id))


async def send(message: OutgoingMessage) -> None:
    """Send a message through its owner's service. Raises ``Undeliverable`` and ``ServiceRefused``."""
    url = None if message.owner_id is None else await _find_url(message.owner_id)
    if url is None:
        raise client.ServiceRefused("The service was disconnected.")
    if (account := twilio.parse_account(url)) is not None:
        await twilio.send(account, message)
    else:
        await client.send_as_owner(url, message)


async def find_twilio_account(owner_id: int) -> twilio.TwilioAccount | None:
    """Return the account at Twilio that an owner has connected, or None."""
    url = await _find_url(owner_id)
    return None if url is None else twilio.parse_account(url)


async def _find_url(owner_id: int) -> str | None:
    row = await sql.fetch_one(SELECT_SERVICE, owner_id)
    return None if row is None else encryption.decrypt(row["url"], URL_COLUMN, owner_id, row["id"])


async def _check_url(url: str) -> None:
    if url.partition("://")[0] not in client.MODULES:
        raise ValidationFailed(url=[UNKNOWN_SERVICE])
    if not URL_PATTERN.fullmatch(url):
        raise ValidationFailed(url=[WITH_OPTIONS])
    if not has_one_recipient(url):
        raise ValidationFailed(url=[WITHOUT_RECIPIENT])
    if not await client.is_usable_by_owner(url):
        raise ValidationFailed(url=[INCOMPLETE])
