"""Messages to browsers: encrypted for the subscription, and sent to the push service that it names.

A subscription comes from a stranger, so its push service is called at a public address only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from comanda.basics import LazyModule, ValidationFailed
from comanda.contracts import OutgoingMessage, RecipientGone, Undeliverable
from comanda.platform.http_client import (
    Address,
    CheckedResolver,
    DeliveryTarget,
    ForbiddenTarget,
    check_url,
    find_addresses,
    is_public,
)

from comanda_web_push.services import vapid_key
from comanda_web_push.settings import get_allowed_targets

if TYPE_CHECKING:
    import aiohttp
    import pywebpush
else:
    # Only a process that sends such a message needs them.
    aiohttp = LazyModule("aiohttp")
    pywebpush = LazyModule("pywebpush")

TIMEOUT_SECONDS: Final = 10
# A push service keeps a message this long for a browser that is offline; then it is old news.
TTL_SECONDS: Final = 2 * 3600
# A message has at most 4,096 bytes, with its encryption.
MAX_TITLE_CHARACTERS: Final = 100
MAX_TEXT_CHARACTERS: Final = 500
MAX_DATA_BYTES: Final = 1000
# The subscription has expired, or the person has withdrawn it.
GONE_STATUSES: Final = (404, 410)
PERMANENT_STATUSES: Final = (400, 413)


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's subscription: the address at its push service, and its keys in base64."""

    endpoint: str
    p256dh: str
    auth: str


class PushServiceRefused(Exception):
    """The push service did not take a message, which is sent again later."""


def check_subscription(token: str) -> None:
    """Check what a browser registers, without asking its push service. Raises ``ValidationFailed`` on ``token``."""
    try:
        check_url(_parse_subscription(token).endpoint, allowed=get_allowed_targets())
    except (RecipientGone, ForbiddenTarget) as error:
        raise ValidationFailed(token=["Must be a subscription of a browser."]) from error


async def accepts(message: OutgoingMessage) -> bool:
    """Return whether a message is for a browser."""
    return message.platform == "web"


async def send(message: OutgoingMessage) -> None:
    """Send a message to a browser, whose push token is its subscription as JSON.

    Raises ``RecipientGone`` for what is no subscription or has ended, ``Undeliverable``, ``PushServiceRefused``, and
    the errors of aiohttp if there is no response.
    """
    subscription = _parse_subscription(message.to)
    try:
        target = check_url(subscription.endpoint, allowed=get_allowed_targets())
    except ForbiddenTarget as error:
        raise RecipientGone(str(error)) from error
    body = _encrypt(subscription, _to_payload(message))
    headers = {
        **await vapid_key.sign_for(str(target.url.origin())),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_SECONDS),
        "Urgency": "high",
        "User-Agent": "Comanda/1",
    }
    _check_status(await _post(target, headers, body))


def _parse_subscription(token: str) -> Subscription:
    try:
        found = orjson.loads(token)
        return Subscription(str(found["endpoint"]), str(found["keys"]["p256dh"]), str(found["keys"]["auth"]))
    except (ValueError, TypeError, KeyError) as error:
        raise RecipientGone("This is not a subscription of a browser.") from error


def _encrypt(subscription: Subscription, payload: bytes) -> bytes:
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    try:
        body: bytes = pywebpush.WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(payload)["body"]
    except Exception as error:  # keys of strangers fail in the library in many ways
        raise RecipientGone("The keys of the subscription are not valid.") from error
    return body


def _to_payload(message: OutgoingMessage) -> bytes:
    content: dict[str, Any] = {
        "title": (message.subject or "")[:MAX_TITLE_CHARACTERS],
        "text": message.text[:MAX_TEXT_CHARACTERS],
    }
    if message.data and len(orjson.dumps(message.data)) <= MAX_DATA_BYTES:
        content["data"] = message.data
    return orjson.dumps(content)


async def _post(target: DeliveryTarget, headers: Mapping[str, str], body: bytes) -> int:
    allowed = get_allowed_targets()

    def is_acceptable(address: Address) -> bool:
        return allowed.covers(address) or (is_public(address) and not target.only_allowed)

    connector = aiohttp.TCPConnector(resolver=CheckedResolver(find_addresses, is_acceptable), use_dns_cache=False)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(
                connector=connector, timeout=timeout, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()
            ) as session,
            session.post(target.url, data=body, headers=headers, allow_redirects=False) as response,
        ):
            # The body is not read: nothing in it matters.
            return response.status
    except ForbiddenTarget as error:
        raise RecipientGone(str(error)) from error


def _check_status(status: int) -> None:
    if status in GONE_STATUSES:
        raise RecipientGone(f"The subscription has ended: {status}.")
    if status in PERMANENT_STATUSES:
        raise Undeliverable(f"The push service refuses the message: {status}.")
    if not 200 <= status < 300:
        raise PushServiceRefused(f"The push service answered {status}.")
