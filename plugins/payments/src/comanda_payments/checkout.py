"""A gateway with a checkout on its own pages, spoken to as Stripe Checkout is: sessions, refunds, form-encoded bodies.

Every call that makes something carries an idempotency key, so that it may be repeated when its answer was lost.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import aiohttp
from comanda.contracts.payments import ChargeRequest, PaymentDeclined, ProviderOutcome, ProviderState, StartedPayment

from comanda_payments import settings

TIMEOUT_SECONDS: Final = 10
MAX_REFERENCE: Final = 255
# These say "later", or "another request of this key is at work"; every other 4xx will not change.
PASSING: Final = frozenset({401, 403, 408, 409, 425, 429})
REFUND_STATES: Final = {
    "succeeded": ProviderState.SUCCEEDED,
    "failed": ProviderState.FAILED,
    "canceled": ProviderState.FAILED,
}


class GatewayTrouble(Exception):
    """The gateway does not answer, or not as it should; a later attempt may succeed."""


class HostedCheckout:
    """The method ``gateway``, on the gateway that the settings name."""

    def is_ready(self) -> bool:
        """Tell whether there is a key to call the gateway with."""
        return settings.current().gateway_key is not None

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Open a session of the checkout."""
        session = await _call("POST", "/v1/checkout/sessions", _session_fields(charge), key=charge.key)
        expires_at = session.get("expires_at")
        return StartedPayment(
            reference=_reference(session),
            redirect_url=_text(session, "url"),
            expires_at=datetime.fromtimestamp(expires_at, UTC) if isinstance(expires_at, int) else None,
        )

    async def check(self, reference: str) -> ProviderOutcome:
        """Read a session."""
        return outcome_of(await _call("GET", f"/v1/checkout/sessions/{reference}"))

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Expire a session, unless it is over already."""
        try:
            session = await _call("POST", f"/v1/checkout/sessions/{reference}/expire", {})
        except PaymentDeclined:
            return await self.check(reference)
        return outcome_of(session)

    async def refund(self, key: str, payment: str, amount_minor: int, currency: str) -> ProviderOutcome:
        """Give money of a payment intent back."""
        fields = {"payment_intent": payment, "amount": str(amount_minor)}
        return _refund_outcome(await _call("POST", "/v1/refunds", fields, key=key))

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Read a refund."""
        return _refund_outcome(await _call("GET", f"/v1/refunds/{reference}"))


def outcome_of(session: Mapping[str, Any]) -> ProviderOutcome:
    """Read what became of a session, from an answer or from a callback. Raises ``GatewayTrouble``."""
    status, paid = session.get("status"), session.get("payment_status")
    amount = session.get("amount_total")
    if paid == "paid":
        whole = amount if isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0 else None
        return ProviderOutcome(ProviderState.SUCCEEDED, _text(session, "payment_intent"), amount_minor=whole)
    if status == "expired":
        return ProviderOutcome(ProviderState.FAILED, failure="Nobody paid before the page expired.")
    if status in {"open", "complete"}:
        # Complete and unpaid: a bank transfer, say, that is on its way.
        return ProviderOutcome(ProviderState.PENDING)
    raise GatewayTrouble(f"a session with the status {status!r}")


def _session_fields(charge: ChargeRequest) -> dict[str, str]:
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


def _refund_outcome(refund: Mapping[str, Any]) -> ProviderOutcome:
    state = REFUND_STATES.get(str(refund.get("status")), ProviderState.PENDING)
    failure = _text(refund, "failure_reason") or "The gateway could not give the money back."
    return ProviderOutcome(state, _reference(refund), failure if state is ProviderState.FAILED else None)


async def _call(method: str, path: str, fields: Mapping[str, str] | None = None, key: str | None = None) -> Any:
    """Send a request and return the object that answers it. Raises ``Declined``, ``GatewayTrouble``."""
    current = settings.current()
    if current.gateway_key is None:
        raise GatewayTrouble("no key is set")
    headers = {"Authorization": f"Bearer {current.gateway_key.get_secret_value()}"}
    if key is not None:
        headers["Idempotency-Key"] = key
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as client,
            client.request(
                method, current.gateway_url + path, data=fields, headers=headers, allow_redirects=False
            ) as it,
        ):
            return _read(it.status, await it.json(content_type=None))
    except (TimeoutError, aiohttp.ClientError, ValueError) as error:
        raise GatewayTrouble(repr(error)) from error


def _read(status: int, answer: Any) -> Any:
    if not isinstance(answer, dict):
        raise GatewayTrouble(f"an answer of status {status} that is no object")
    if 200 <= status < 300:
        return answer
    error = answer.get("error")
    sentence = error.get("message") if isinstance(error, dict) else None
    if 400 <= status < 500 and status not in PASSING:
        raise PaymentDeclined(str(sentence or f"The gateway refused with status {status}."))
    raise GatewayTrouble(f"status {status}: {sentence}")


def _reference(made: Mapping[str, Any]) -> str:
    reference = _text(made, "id")
    if not reference:
        raise GatewayTrouble("an answer without an id")
    return reference


def _text(made: Mapping[str, Any], name: str) -> str | None:
    value = made.get(name)
    return value if isinstance(value, str) and len(value) <= (2048 if name == "url" else MAX_REFERENCE) else None
