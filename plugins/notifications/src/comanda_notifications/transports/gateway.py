"""SMS and push over HTTP: one signed request to a gateway, which knows the provider."""

import hashlib
import hmac
from base64 import b64encode
from datetime import datetime
from typing import Any, Final

import aiohttp
import orjson
from comanda import clock
from comanda.contracts.messaging import Channel, OutgoingMessage, RecipientGone, Undeliverable
from pydantic import SecretStr

from comanda_notifications.settings import current, key_of

CHANNELS: Final[tuple[Channel, ...]] = ("sms", "push")
TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
# What a gateway answers where no later attempt will help: for the address, for the message. All else is tried again.
GONE: Final = 410
REFUSED: Final = 422


class Refused(Exception):
    """The gateway did not take a message, this time."""


def is_ready(channel: Channel) -> bool:
    """Tell whether a channel's gateway is set up."""
    return _url(channel) is not None


async def send(message: OutgoingMessage) -> None:
    """Hand a message to its channel's gateway.

    Any answer of 2xx is its acceptance. Raises ``Gone`` for 410, ``Undeliverable`` for 422, ``Refused`` for another
    answer, and what aiohttp raises where there is none.
    """
    url, secret = _url(message.channel), current().gateway_secret
    assert url is not None  # noqa: S101 - is_ready has seen to it
    assert secret is not None  # noqa: S101 - the settings have seen to it
    body = orjson.dumps(
        {"id": message.id, "channel": message.channel, "to": message.to, "subject": message.subject,
         "text": message.text, **_for_device(message)}
    )  # fmt: skip
    headers = signed(message.id or "", clock.now(), body, secret)
    # No redirect is followed: a signed message goes where the operator said, and nowhere else.
    async with (
        aiohttp.ClientSession(timeout=TIMEOUT, trust_env=False) as session,
        session.post(url.get_secret_value(), data=body, headers=headers, allow_redirects=False) as response,
    ):
        status = response.status
    if status == GONE:
        raise RecipientGone(f"The gateway refuses the message: {status}.")
    if status == REFUSED:
        raise Undeliverable(f"The gateway refuses the message: {status}.")
    if not 200 <= status < 300:
        raise Refused(f"The gateway answered {status}.")


def signed(id: str, sent_at: datetime, body: bytes, secret: SecretStr) -> dict[str, str]:
    """The headers that identify and sign a request.

    Source: Standard Webhooks, scheme ``v1`` (HMAC-SHA256 of id.timestamp.body, the key being the secret decoded).
    """
    timestamp = str(int(sent_at.timestamp()))
    digest = hmac.digest(key_of(secret), b".".join((id.encode(), timestamp.encode(), body)), hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Comanda-Notifications/1",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{b64encode(digest).decode('ascii')}",
    }


def _for_device(message: OutgoingMessage) -> dict[str, Any]:
    return {"platform": message.platform, "data": message.data or {}} if message.channel == "push" else {}


def _url(channel: Channel) -> SecretStr | None:
    return current().sms_url if channel == "sms" else current().push_url
