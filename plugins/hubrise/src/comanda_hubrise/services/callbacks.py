"""Callbacks of HubRise: each only wakes the order that it is about, which a worker then reads at HubRise.

Source: HubRise's API reference, *Callbacks*: the hexadecimal HMAC-SHA256 of the body, with the secret of the client.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

import orjson
from comanda.basics import BadRequest, NotFound

from comanda_hubrise.services import connection_rows, order_links

SIGNATURE_HEADER: Final = "x-hubrise-hmac-sha256"
MAX_BODY_BYTES: Final = 512 * 1024
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)


async def receive_callback(owner_id: int, connection_id: int, headers: Mapping[str, str], body: bytes) -> None:
    """Wake the order of a callback. Raises ``BadRequest``, and ``NotFound`` unless the connection's client signed it.

    What is about something else than an order of the connection's location is ignored.
    """
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("The body is larger than a callback.")
    connection = await connection_rows.find_connection(owner_id, connection_id)
    secret = None if connection is None else connection_rows.get_client_secret(connection)
    if connection is None or secret is None or not _is_signed(secret, body, headers.get(SIGNATURE_HEADER, "")):
        raise NotFound
    event = _parse(body)
    is_ours = event.get("resource_type") == "order" and event.get("location_id") in (None, connection.location_id)
    order_id = event.get("order_id")
    if is_ours and is_id(order_id):
        await order_links.wake_or_create(connection, [order_id])


def is_id(text: object) -> TypeGuard[str]:
    """Return whether a value may be an id of HubRise."""
    return isinstance(text, str) and ID.fullmatch(text) is not None


def _is_signed(secret: str, body: bytes, signature: str) -> bool:
    expected = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    return hmac.compare_digest(expected.encode(), signature.strip().lower().encode())


def _parse(body: bytes) -> Mapping[str, Any]:
    try:
        event = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The body is no JSON.") from error
    if not isinstance(event, dict):
        raise BadRequest("The body is no callback.")
    return event
