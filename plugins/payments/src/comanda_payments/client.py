"""The client of the payment gateway, which speaks the API of Stripe Checkout: sessions, refunds, form-encoded bodies.

Every call that creates something carries an idempotency key, so that it can be repeated if its response was lost.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from comanda.basics import LazyModule
from comanda.contracts import ChargeRequest, PaymentDeclined, ProviderOutcome, ProviderState, StartedPayment

from comanda_payments import settings

if TYPE_CHECKING:
    import aiohttp
else:
    # Most processes send no such request, and are spared 6 MiB of memory and a fifth of a second at start.
    aiohttp = LazyModule("aiohttp")

TIMEOUT_SECONDS: Final = 10
MAX_REFERENCE_LENGTH: Final = 255
# "Later", or "another request with this key is in progress"; any other 4xx is final.
RETRYABLE_STATUSES: Final = frozenset({401, 403, 408, 409, 425, 429})
REFUND_STATES: Final = {
    "succeeded": ProviderState.SUCCEEDED,
    "failed": ProviderState.FAILED,
    "canceled": ProviderState.FAILED,
}


class GatewayError(Exception):
    """The gateway did not respond, or not as expected; a later attempt may succeed."""


class StripeCheckout:
    """The provider of the method ``gateway``, with the address and key in the settings."""

    def is_ready(self) -> bool:
        """Check whether an API key is set."""
        return settings.get_settings().gateway_key is not None

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Create a checkout session."""
        session = await _send_request("POST", "/v1/checkout/sessions", _to_session_fields(charge), key=charge.key)
        expires_at = session.get("expires_at")
        return StartedPayment(
            reference=_get_reference(session),
            redirect_url=_get_text(session, "url"),
            expires_at=datetime.fromtimestamp(expires_at, UTC) if isinstance(expires_at, int) else None,
        )

    async def check(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a session."""
        return to_outcome(await _send_request("GET", f"/v1/checkout/sessions/{reference}"))

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Expire a session, unless it has ended already."""
        try:
            session = await _send_request("POST", f"/v1/checkout/sessions/{reference}/expire", {})
        except PaymentDeclined:
            return await self.check(reference)
        return to_outcome(session)

    async def refund(self, key: str, payment: str, amount_minor: int, currency: str) -> ProviderOutcome:
        """Create a refund of a payment intent."""
        fields = {"payment_intent": payment, "amount": str(amount_minor)}
        return _to_refund_outcome(await _send_request("POST", "/v1/refunds", fields, key=key))

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""
        return _to_refund_outcome(await _send_request("GET", f"/v1/refunds/{reference}"))


def to_outcome(session: Mapping[str, Any]) -> ProviderOutcome:
    """Return the outcome of a session, from a response or a webhook. Raises ``GatewayError``."""
    status, paid = session.get("status"), session.get("payment_status")
    amount = session.get("amount_total")
    if paid == "paid":
        collected = amount if isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0 else None
        return ProviderOutcome(ProviderState.SUCCEEDED, _get_text(session, "payment_intent"), amount_minor=collected)
    if status == "expired":
        return ProviderOutcome(ProviderState.FAILED, failure="The page expired before the payment was made.")
    if status in {"open", "complete"}:
        # Complete and unpaid: for example, a bank transfer in progress.
        return ProviderOutcome(ProviderState.PENDING)
    raise GatewayError(f"a session with the status {status!r}")


def _to_session_fields(charge: ChargeRequest) -> dict[str, str]:
    line = "line_items[0]"
    return {
        "mode": "payment",
        "client_reference_id": charge.key,
        "success_url": charge.return_url,
        "cancel_url": charge.return_url,
        "expires_at": str(int(charge.expires_at.timestamp())),
        f"{line}[quantity]": "1",
        f"{line}[price_data][currency]": charge.currency.lower(),
        f"{line}[price_data][unit_amount]": str(charge.amount_minor),
        f"{line}[price_data][product_data][name]": charge.description,
    }


def _to_refund_outcome(refund: Mapping[str, Any]) -> ProviderOutcome:
    state = REFUND_STATES.get(str(refund.get("status")), ProviderState.PENDING)
    failure = _get_text(refund, "failure_reason") or "The gateway could not refund the payment."
    return ProviderOutcome(state, _get_reference(refund), failure if state is ProviderState.FAILED else None)


async def _send_request(method: str, path: str, fields: Mapping[str, str] | None = None, key: str | None = None) -> Any:
    """Send a request and return the JSON object in the response. Raises ``Declined``, ``GatewayError``."""
    current = settings.get_settings()
    if current.gateway_key is None:
        raise GatewayError("no key is set")
    headers = {"Authorization": f"Bearer {current.gateway_key.get_secret_value()}"}
    if key is not None:
        headers["Idempotency-Key"] = key
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as client,
            client.request(
                method, current.gateway_url + path, data=fields, headers=headers, allow_redirects=False
            ) as response,
        ):
            return _parse_response(response.status, await response.json(content_type=None))
    except (TimeoutError, aiohttp.ClientError, ValueError) as error:
        raise GatewayError(repr(error)) from error


def _parse_response(status: int, document: Any) -> Any:
    if not isinstance(document, dict):
        raise GatewayError(f"status {status} without a JSON object")
    if 200 <= status < 300:
        return document
    error = document.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    if 400 <= status < 500 and status not in RETRYABLE_STATUSES:
        raise PaymentDeclined(str(message or f"The gateway refused with status {status}."))
    raise GatewayError(f"status {status}: {message}")


def _get_reference(document: Mapping[str, Any]) -> str:
    reference = _get_text(document, "id")
    if not reference:
        raise GatewayError("a response without an id")
    return reference


def _get_text(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    return value if isinstance(value, str) and len(value) <= (2048 if name == "url" else MAX_REFERENCE_LENGTH) else None
