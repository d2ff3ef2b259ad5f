"""The client of CardPay, which collects a payment on a page of its own.

Everything that creates something carries a key that never changes, so a request can be repeated when its response was
lost.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import aiohttp
from comanda.contracts import ChargeRequest, PaymentDeclined, ProviderOutcome, ProviderState, StartedPayment
from comanda.stores import get_store_settings

from comanda_cardpay.settings import get_settings
from comanda_cardpay.store_settings import CardPayStoreSettings

TIMEOUT_SECONDS: Final = 10
# CardPay refuses for good with these; anything else may succeed later.
FINAL_STATUSES: Final = frozenset({400, 404, 409, 422})
STATES: Final = {
    "open": ProviderState.PENDING,
    "pending": ProviderState.PENDING,
    "paid": ProviderState.SUCCEEDED,
    "refunded": ProviderState.SUCCEEDED,
}


class CardPayError(Exception):
    """CardPay did not respond, or not as expected; a later attempt may succeed."""


class CardPay:
    """The provider of the method ``cardpay``."""

    def is_ready(self) -> bool:
        """Return whether an API key is set."""
        return get_settings().api_key is not None

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Create a page for a payment to the merchant number of its store. Raises ``PaymentDeclined`` without one."""
        store = await get_store_settings(CardPayStoreSettings, charge.owner_id, charge.store_id)
        if not store.merchant:
            raise PaymentDeclined("This store has no merchant number yet.")
        page = await _send_request(
            "POST",
            "/v1/pages",
            {
                "key": charge.key,
                "merchant": store.merchant,
                "amount": charge.amount_minor,
                "currency": charge.currency,
                "text": store.statement_text or charge.description,
                "return_url": charge.return_url,
                "expires_at": charge.expires_at.isoformat(),
            },
        )
        return StartedPayment(page["id"], page["url"], expires_at=datetime.fromisoformat(page["expires_at"]))

    async def check(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a page."""
        return to_outcome(await _send_request("GET", f"/v1/pages/{reference}"))

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Close a page, unless it has been paid."""
        return to_outcome(await _send_request("POST", f"/v1/pages/{reference}/close"))

    async def refund(self, key: str, payment: str, amount_minor: int, currency: str) -> ProviderOutcome:
        """Give back part or all of a payment."""
        fields = {"key": key, "payment": payment, "amount": amount_minor, "currency": currency}
        return to_outcome(await _send_request("POST", "/v1/refunds", fields), reference="id")

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""
        return to_outcome(await _send_request("GET", f"/v1/refunds/{reference}"), reference="id")


def to_outcome(document: Mapping[str, Any], *, reference: str = "payment") -> ProviderOutcome:
    """Return the outcome of a page or a refund, from a response or a callback; ``reference`` is what to name it by."""
    state = STATES.get(document["state"], ProviderState.FAILED)
    if state is ProviderState.FAILED:
        return ProviderOutcome(state, failure=document.get("failure") or "The card payment was not made.")
    return ProviderOutcome(state, document.get(reference), amount_minor=document["amount"])


async def _send_request(method: str, path: str, fields: Mapping[str, Any] | None = None) -> Any:
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
