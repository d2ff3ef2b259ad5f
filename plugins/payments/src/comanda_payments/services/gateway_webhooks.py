"""Webhooks of the gateway, accepted only with a valid and recent signature."""

import hashlib
import hmac
from typing import Any, Final

import orjson
from comanda.basics import BadRequest, NotFound, Unauthenticated, clock
from comanda.contracts import ProviderOutcome, ProviderState

from comanda_payments import settings
from comanda_payments.client import GatewayError, to_outcome
from comanda_payments.payment_methods import GATEWAY
from comanda_payments.services import hosted_payments

TOLERANCE_SECONDS: Final = 300
SESSION_EVENT_PREFIX: Final = "checkout.session."
# The bank refused after the checkout was complete, which the session itself does not show.
PAYMENT_FAILED_EVENT: Final = "checkout.session.async_payment_failed"
REFUSED_BY_BANK: Final = ProviderOutcome(ProviderState.FAILED, failure="The bank refused the payment.")


def sign(body: bytes, sent_at: int, secret: str) -> str:
    """Sign a webhook: HMAC-SHA256 in hexadecimal over the time in Unix seconds, a full stop and the exact bytes."""
    return hmac.new(secret.encode(), b"%d." % sent_at + body, hashlib.sha256).hexdigest()


def verify_signature(header: str, body: bytes, secret: str) -> None:
    """Verify a header such as ``t=1767225600,v1=…``, with one signature or several.

    Raises ``Unauthenticated`` if the signature is wrong, or more than ``TOLERANCE_SECONDS`` from now.
    """
    pairs = [part.strip().partition("=")[::2] for part in header.split(",")]
    times = [value for name, value in pairs if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit() and len(times[0]) <= 12):
        raise Unauthenticated("The webhook is not signed.")
    sent_at = int(times[0])
    expected = sign(body, sent_at, secret).encode()
    # Every signature is compared, and each in constant time.
    matches = [hmac.compare_digest(value.encode(), expected) for name, value in pairs if name == "v1"]
    if not any(matches):
        raise Unauthenticated("The signature of the webhook is invalid.")
    if abs(clock.now().timestamp() - sent_at) > TOLERANCE_SECONDS:
        raise Unauthenticated("The webhook is too old.")


async def handle_webhook(header: str, body: bytes) -> None:
    """Record the outcome of a payment from a webhook; ignore other events, and payments that are not ours.

    Raises ``NotFound`` if no webhook secret is set; ``Unauthenticated``; ``BadRequest``.
    """
    secret = settings.get_settings().gateway_webhook_secret
    if secret is None:
        raise NotFound
    verify_signature(header, body, secret.get_secret_value())
    session = _parse_session(body)
    if session is None:
        return
    try:
        outcome = REFUSED_BY_BANK if session["type"] == PAYMENT_FAILED_EVENT else to_outcome(session)
    except GatewayError as error:
        raise BadRequest("The session of the webhook is invalid.") from error
    await hosted_payments.record_callback(GATEWAY, session.get("client_reference_id"), session.get("id"), outcome)


def _parse_session(body: bytes) -> dict[str, Any] | None:
    try:
        event = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The webhook is not valid JSON.") from error
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str) or not kind.startswith(SESSION_EVENT_PREFIX):
        return None
    data = event.get("data")
    session = data.get("object") if isinstance(data, dict) else None
    return {**session, "type": kind} if isinstance(session, dict) else None
