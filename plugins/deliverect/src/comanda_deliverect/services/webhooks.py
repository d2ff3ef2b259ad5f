"""Orders and cancellations that Deliverect sends: each is stored before it is confirmed, and a worker takes it.

Source: Deliverect's documentation, *Order Notification*, *Order Cancellation*, *HMAC Authentication*: the hexadecimal
HMAC-SHA256 of the body.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Final

import orjson
from comanda.basics import BadRequest, NotFound
from comanda_foreign_orders.api import text

from comanda_deliverect.services import connections, order_links

SIGNATURE_HEADER: Final = "x-server-authorization-hmac-sha256"
MAX_BODY_BYTES: Final = 512 * 1024
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
CANCEL: Final = 100


async def receive_order(owner_id: int, connection_id: int, headers: Mapping[str, str], body: bytes) -> None:
    """Store an order that is new, or that an order is cancelled; what is known already is only looked at again.

    Raises ``BadRequest``, and ``NotFound`` unless it is signed and of the connection's location.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("The body is larger than an order.")
    connection = await connections.find_connection(owner_id, connection_id)
    if connection is None or not _is_signed(connection.credentials.webhook_secret, body, headers):
        raise NotFound
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The body is no JSON.") from error
    id = document.get("_id") if isinstance(document, dict) else None
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise BadRequest("The body is no order.")
    if document.get("location") != connection.location_id:
        raise NotFound
    await order_links.store_order(
        connection,
        id,
        body.decode(),
        text(document, "channelOrderId", 100),
        is_cancelled=document.get("status") == CANCEL,
    )


def _is_signed(secret: str, body: bytes, headers: Mapping[str, str]) -> bool:
    signature = headers.get(SIGNATURE_HEADER, "").strip().lower()
    expected = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    return bool(secret) and hmac.compare_digest(expected.encode(), signature.encode())
