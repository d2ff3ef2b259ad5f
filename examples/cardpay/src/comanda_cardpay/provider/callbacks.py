"""Callbacks of CardPay, accepted only with a valid and recent signature."""

import hashlib
import hmac
import re
from typing import Final

import orjson
from comanda.basics import BadRequest, NotFound, Unauthenticated, clock
from comanda.contracts import PaymentReport, WebhookRequest

from comanda_cardpay.provider.outcomes import to_outcome
from comanda_cardpay.settings import get_settings

TOLERANCE_SECONDS: Final = 300
SIGNATURE: Final = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")


def sign(body: bytes, sent_at: int, secret: str) -> str:
    """Sign a callback: HMAC-SHA256 in hexadecimal over the time in Unix seconds, a full stop and the exact bytes."""
    return hmac.new(secret.encode(), b"%d." % sent_at + body, hashlib.sha256).hexdigest()


def verify_callback(webhook: WebhookRequest) -> list[PaymentReport]:
    """Return what a callback reports of a page.

    Raises ``NotFound`` if no callback secret is set; ``Unauthenticated`` for a wrong or old signature; ``BadRequest``.
    """
    secret = get_settings().callback_secret
    if secret is None:
        raise NotFound
    _verify_signature(webhook.headers.get("cardpay-signature", ""), webhook.body, secret.get_secret_value())
    try:
        page = orjson.loads(webhook.body)["page"]
        return [PaymentReport(page["key"], page["id"], to_outcome(page), external_id=page["merchant"])]
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise BadRequest("The callback is not about a page.") from error


def _verify_signature(signature: str, body: bytes, secret: str) -> None:
    found = SIGNATURE.fullmatch(signature)
    if found is None or not hmac.compare_digest(found[2], sign(body, int(found[1]), secret)):
        raise Unauthenticated("The signature of the callback is invalid.")
    if abs(clock.now().timestamp() - int(found[1])) > TOLERANCE_SECONDS:
        raise Unauthenticated("The callback is too old.")
