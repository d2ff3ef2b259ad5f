"""Requests to CardPay.

Everything that creates something carries a key that never changes, so a request can be repeated when its response was
lost.
"""

from collections.abc import Mapping
from typing import Any, Final

import aiohttp
from comanda.contracts import PaymentDeclined

from comanda_cardpay.settings import get_settings

TIMEOUT_SECONDS: Final = 10
# CardPay refuses for good with these; anything else may succeed later.
FINAL_STATUSES: Final = frozenset({400, 404, 409, 422})


class CardPayError(Exception):
    """CardPay did not respond, or not as expected; a later attempt may succeed."""


async def send_request(method: str, path: str, fields: Mapping[str, Any] | None = None) -> Any:
    """Send a request and return the object in the response. Raises ``PaymentDeclined``, ``CardPayError``."""
    settings = get_settings()
    if settings.api_key is None:
        raise CardPayError("no key is set")
    headers = {"Authorization": f"Bearer {settings.api_key.get_secret_value()}"}
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as client,
            client.request(
                method, settings.api_url + path, json=fields, headers=headers, allow_redirects=False
            ) as response,
        ):
            document = await response.json(content_type=None)
    except (TimeoutError, aiohttp.ClientError, ValueError) as error:
        raise CardPayError(repr(error)) from error
    if response.status in FINAL_STATUSES:
        raise PaymentDeclined(str(document.get("message", "CardPay refused the payment.")))
    if response.status >= 300:
        raise CardPayError(f"status {response.status}")
    return document
