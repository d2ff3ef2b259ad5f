"""SMS and push by signed HTTP requests to a gateway of the operator."""

import hashlib
import hmac
from base64 import b64encode
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import orjson
from comanda.basics import LazyModule, clock
from comanda.contracts import Channel, OutgoingMessage, RecipientGone, Undeliverable
from pydantic import SecretStr

from comanda_notifications.settings import decode_secret, get_settings

if TYPE_CHECKING:
    import aiohttp
else:
    # Most processes send no such request, and are spared 6 MiB of memory and a fifth of a second at start.
    aiohttp = LazyModule("aiohttp")

CHANNELS: Final[tuple[Channel, ...]] = ("sms", "push")
TIMEOUT_SECONDS: Final = 10
# Permanent failures, of the address and of the message. All other errors are retried.
GONE_STATUS: Final = 410
UNDELIVERABLE_STATUS: Final = 422


class GatewayRefused(Exception):
    """The gateway did not accept a message; it will be retried."""


def is_ready(channel: Channel) -> bool:
    """Return whether a channel's gateway is configured."""
    return _get_url(channel) is not None


async def send(message: OutgoingMessage) -> None:
    """Send a message to its channel's gateway, which accepts it with any 2xx status.

    Raises ``Gone`` for 410, ``Undeliverable`` for 422, ``GatewayRefused`` for any other status, and the errors of
    aiohttp if there is no response.
    """
    url, secret = _get_url(message.channel), get_settings().gateway_secret
    if url is None or secret is None:
        raise GatewayRefused(f"No gateway is configured for {message.channel}.")
    body = orjson.dumps(
        {"id": message.id, "channel": message.channel, "to": message.to, "subject": message.subject,
         "text": message.text, **_to_device_fields(message)}
    )  # fmt: skip
    headers = sign_request(message.id or "", clock.now(), body, secret)
    # Redirects are not followed: a signed message goes only to the configured URL.
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS), trust_env=False) as session,
        session.post(url.get_secret_value(), data=body, headers=headers, allow_redirects=False) as response,
    ):
        status = response.status
    if status == GONE_STATUS:
        raise RecipientGone(f"The gateway refuses the message: {status}.")
    if status == UNDELIVERABLE_STATUS:
        raise Undeliverable(f"The gateway refuses the message: {status}.")
    if not 200 <= status < 300:
        raise GatewayRefused(f"The gateway answered {status}.")


def sign_request(id: str, sent_at: datetime, body: bytes, secret: SecretStr) -> dict[str, str]:
    """Return the headers that identify and sign a request.

    Source: Standard Webhooks, scheme ``v1`` (HMAC-SHA256 of id.timestamp.body, the key being the secret decoded).
    """
    timestamp = str(int(sent_at.timestamp()))
    digest = hmac.digest(decode_secret(secret), b".".join((id.encode(), timestamp.encode(), body)), hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Comanda-Notifications/1",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{b64encode(digest).decode('ascii')}",
    }


def _to_device_fields(message: OutgoingMessage) -> dict[str, Any]:
    return {"platform": message.platform, "data": message.data or {}} if message.channel == "push" else {}


def _get_url(channel: Channel) -> SecretStr | None:
    return get_settings().sms_url if channel == "sms" else get_settings().push_url
