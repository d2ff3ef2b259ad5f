"""The signature of requests of the operator's SMS gateway: Standard Webhooks, with the secret of the requests to it."""

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from comanda.basics import BadRequest, clock, require_found

from comanda_notifications.settings import get_settings
from comanda_notifications.transports.gateway import sign_request

MAX_BODY_BYTES: Final = 16 * 1024
# As of Standard Webhooks: what is older may be a copy.
MAX_AGE_SECONDS: Final = 300
MAX_ID_LENGTH: Final = 150
MAX_SIGNATURES: Final = 10


def check_request(headers: Mapping[str, str], body: bytes) -> str:
    """Check a request of the gateway, and return its id, the same each time that it is sent.

    Raises ``NotFound`` without a gateway, and ``BadRequest`` for one that is too large, too old or not signed.
    """
    secret = require_found(get_settings().gateway_secret)
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("The body is larger than a report.")
    id, sent_at = headers.get("webhook-id", ""), _parse_timestamp(headers.get("webhook-timestamp", ""))
    if not 0 < len(id) <= MAX_ID_LENGTH or sent_at is None:
        raise BadRequest("The request is not signed.")
    if abs((clock.now() - sent_at).total_seconds()) > MAX_AGE_SECONDS:
        raise BadRequest("The request is too old.")
    expected = sign_request(id, sent_at, body, secret)["webhook-signature"]
    given = headers.get("webhook-signature", "").split()[:MAX_SIGNATURES]
    if not any(hmac.compare_digest(each.encode(), expected.encode()) for each in given):
        raise BadRequest("The signature is wrong.")
    return id


def _parse_timestamp(text: str) -> datetime | None:
    if not text.isascii() or not text.isdigit() or len(text) > 11:
        return None
    return datetime.fromtimestamp(int(text), UTC)
