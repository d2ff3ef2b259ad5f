"""Twilio without the library, which can neither ask for reports on a message nor read them.

Sources: Twilio's API reference, *Messages resource*; *Validating signatures from Twilio*: HMAC-SHA1, with the account's
token, of the URL followed by each field and its value, sorted by name.
"""

import hashlib
import hmac
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import orjson
from comanda.basics import LazyModule
from comanda.contracts import API_PREFIX, OutgoingMessage, Undeliverable
from comanda.platform import runtime

from comanda_apprise.services.client import ServiceRefused

if TYPE_CHECKING:
    import aiohttp
else:
    # Only a process that sends such a message needs it.
    aiohttp = LazyModule("aiohttp")

HOST: Final = "https://api.twilio.com"
TIMEOUT_SECONDS: Final = 12
MAX_ANSWER_BYTES: Final = 16 * 1024
ACCOUNT_URL: Final = re.compile(r"twilio://([^:/@]+):([^:/@]+)@([^:/@]+)/\{to\}/?", re.ASCII)
MESSAGING_SERVICE: Final = "MG"
MIN_PHONE_DIGITS: Final = 7
# What Twilio will not take however often it is sent, such as a wrong number, or one that answered STOP (21610).
PERMANENT_STATUSES: Final = (400,)


@dataclass(frozen=True, slots=True)
class TwilioAccount:
    """An owner's account, and the number or messaging service that its SMS come from."""

    sid: str
    token: str = field(repr=False)
    sender: str


def parse_account(url: str) -> TwilioAccount | None:
    """Return the account of an owner's URL, or None if it is of another service."""
    found = ACCOUNT_URL.fullmatch(url)
    return None if found is None else TwilioAccount(*(unquote(part) for part in found.groups()))


def get_reply_url(owner_id: int) -> str:
    """Return where Twilio sends what guests answer to an owner."""
    return f"{_get_base_url(owner_id)}/replies"


def get_report_url(owner_id: int, message_id: str) -> str:
    """Return where Twilio reports on one message."""
    return f"{_get_base_url(owner_id)}/reports/{message_id}"


async def send(account: TwilioAccount, message: OutgoingMessage) -> None:
    """Send an SMS and ask for reports on it. Raises ``Undeliverable`` and ``ServiceRefused``."""
    form = {"To": message.to, "Body": message.text, **_to_sender(account.sender)}
    if message.owner_id is not None and message.id is not None:
        form["StatusCallback"] = get_report_url(message.owner_id, message.id)
    url = f"{HOST}/2010-04-01/Accounts/{quote(account.sid, safe='')}/Messages.json"
    credentials = b64encode(f"{account.sid}:{account.token}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}"}
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS), trust_env=True) as session,
        session.post(url, data=form, headers=headers, allow_redirects=False) as response,
    ):
        status = response.status
        reason = _parse_code(await response.content.read(MAX_ANSWER_BYTES)) if status >= 300 else None
    if status in PERMANENT_STATUSES:
        raise Undeliverable(f"Twilio refuses the message: {reason or status}.")
    if not 200 <= status < 300:
        raise ServiceRefused(f"Twilio answered {reason or status}.")


def is_signed(account: TwilioAccount, url: str, form: Mapping[str, str], signature: str) -> bool:
    """Return whether a request is from Twilio, given the URL that it was told and the fields of the body."""
    text = url + "".join(name + form[name] for name in sorted(form))
    expected = b64encode(hmac.digest(account.token.encode(), text.encode(), hashlib.sha1))
    return hmac.compare_digest(expected, signature.encode())


def _to_sender(sender: str) -> dict[str, str]:
    if sender.startswith(MESSAGING_SERVICE):
        return {"MessagingServiceSid": sender}
    return {"From": f"+{sender}" if sender.isdigit() and len(sender) >= MIN_PHONE_DIGITS else sender}


def _parse_code(body: bytes) -> int | None:
    try:
        code = orjson.loads(body)["code"]
    except (ValueError, TypeError, KeyError):
        return None
    return code if isinstance(code, int) else None


def _get_base_url(owner_id: int) -> str:
    return f"{runtime.settings().site_url.rstrip('/')}{API_PREFIX}/sms-service/{owner_id}/twilio"
