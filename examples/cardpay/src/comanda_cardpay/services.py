"""Callbacks of CardPay, accepted only with a valid and recent signature."""

import hashlib
import hmac
import re
from typing import Final

import orjson
from comanda.basics import BadRequest, NotFound, Unauthenticated, clock
from comanda_payments.api import record_callback

from comanda_cardpay.client import to_outcome
from comanda_cardpay.payment_methods import CARDPAY
from comanda_cardpay.settings import get_settings

TOLERANCE_SECONDS: Final = 300
SIGNATURE: Final = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")


def sign(body: bytes, sent_at: int, secret: str) -> str:
    """Sign a callback: HMAC-SHA256 in hexadecimal over the time in Unix seconds, a full stop and the exact bytes."""
    return hmac.new(secret.encode(), b"%d." % sent_at + body, hashlib.sha256).hexdigest()


async def handle_callback(signature: str, body: bytes) -> bool:
    """Record the outcome of a payment and return whether it is one of ours; a repeated callback changes nothing more.

    Raises ``NotFound`` if no callback secret is set; ``Unauthenticated`` for a wrong or old signature; ``BadRequest``.
    """
    secret = get_settings().callback_secret
    if secret is None:
        raise NotFound
    _verify_signature(signature, body, secret.get_secret_value())
    try:
        page = orjson.loads(body)["page"]
        key, reference, outcome = page["key"], page["id"], to_outcome(page)
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise BadRequest("The callback is not about a page.") from error
    return await record_callback(CARDPAY.code, key, reference, outcome)


def _verify_signature(signature: str, body: bytes, secret: str) -> None:
    found = SIGNATURE.fullmatch(signature)
    if found is None or not hmac.compare_digest(found[2], sign(body, int(found[1]), secret)):
        raise Unauthenticated("The signature of the callback is invalid.")
    if abs(clock.now().timestamp() - int(found[1])) > TOLERANCE_SECONDS:
        raise Unauthenticated("The callback is too old.")
