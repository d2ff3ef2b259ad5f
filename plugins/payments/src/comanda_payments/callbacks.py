"""Callbacks of the gateway: signed, and worth nothing unless the signature is right and young."""

import hashlib
import hmac
from typing import Any, Final

import orjson
from comanda import clock
from comanda.contracts.payments import ProviderOutcome, ProviderState
from comanda.errors import BadRequest, NotFound, Unauthenticated

from comanda_payments import hosted, settings
from comanda_payments.checkout import GatewayTrouble, outcome_of
from comanda_payments.methods import GATEWAY
from comanda_payments.models import PaymentStatus

TOLERANCE_SECONDS: Final = 300
ABOUT_SESSIONS: Final = "checkout.session."
# A bank said no after the checkout was complete: the session itself does not tell.
FAILING: Final = "checkout.session.async_payment_failed"
FAILED: Final = ProviderOutcome(ProviderState.FAILED, failure="The bank refused the payment.")


def sign(body: bytes, sent_at: int, secret: str) -> str:
    """Sign a callback: HMAC-SHA256 in hexadecimal over the time in Unix seconds, a full stop and the exact bytes."""
    return hmac.new(secret.encode(), b"%d." % sent_at + body, hashlib.sha256).hexdigest()


def verify(header: str, body: bytes, secret: str) -> None:
    """Check a header such as ``t=1767225600,v1=…``, with one signature or several.

    Raises ``Unauthenticated`` for one that is wrong, or was made more than ``TOLERANCE_SECONDS`` from now.
    """
    pairs = [part.strip().partition("=")[::2] for part in header.split(",")]
    times = [value for name, value in pairs if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit() and len(times[0]) <= 12):
        raise Unauthenticated("The callback is not signed.")
    sent_at = int(times[0])
    expected = sign(body, sent_at, secret).encode()
    # Every signature is compared, and each in constant time.
    matches = [hmac.compare_digest(value.encode(), expected) for name, value in pairs if name == "v1"]
    if not any(matches):
        raise Unauthenticated("The signature of the callback is wrong.")
    if abs(clock.now().timestamp() - sent_at) > TOLERANCE_SECONDS:
        raise Unauthenticated("The callback is too old.")


async def receive(header: str, body: bytes) -> None:
    """Take note of what the gateway tells of a payment; of other things, and of payments that are not ours, nothing.

    Raises ``NotFound`` where callbacks are not set up, ``Unauthenticated``, ``BadRequest``.
    """
    secret = settings.current().gateway_webhook_secret
    if secret is None:
        raise NotFound
    verify(header, body, secret.get_secret_value())
    session = _session(body)
    key = hosted.read_key(session.get("client_reference_id")) if session else None
    if session is None or key is None or not await hosted.is_of(*key, GATEWAY, session.get("id")):
        return
    try:
        outcome = FAILED if session["type"] == FAILING else outcome_of(session)
    except GatewayTrouble as error:
        raise BadRequest("The callback's session could not be read.") from error
    if outcome.state is not ProviderState.PENDING:
        await hosted.conclude(*key, outcome, otherwise=PaymentStatus.FAILED)


def _session(body: bytes) -> dict[str, Any] | None:
    try:
        event = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The callback is not valid JSON.") from error
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str) or not kind.startswith(ABOUT_SESSIONS):
        return None
    data = event.get("data")
    session = data.get("object") if isinstance(data, dict) else None
    return {**session, "type": kind} if isinstance(session, dict) else None
