"""Table tokens, with which guests see the open check of a table, add to it and pay it, for the time of a visit.

The track token is that of the guest who ordered: it also cancels the order and opens its invoice, and stays for weeks.
So guests who only sit at the same table get another one, and nothing that the first guest has written.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from urllib.parse import parse_qs

from comanda.basics.errors import NotFound
from comanda.orders import queries
from comanda.orders.records import Order, OrderLine
from comanda.orders.track_tokens import TrackKey, find_track_key
from comanda.platform.db import sql
from comanda.platform.encryption import signed_links

PURPOSE: Final = "orders.table"
LIFETIME: Final = timedelta(hours=6)
# Between the order, the expiry and the signature; no track token has it.
SEPARATOR: Final = "."
MAX_ID_LENGTH: Final = 18
SELECT_TRACK_HASH: Final = "SELECT track_hash FROM core_order WHERE id = $1 AND owner_id = $2"


async def create_table_token(order: Order) -> str:
    link = await signed_links.sign_link(PURPOSE, order.owner_id, order.id, LIFETIME)
    signed = parse_qs(link.query)
    return SEPARATOR.join((str(order.id), signed["expires"][0], signed["signature"][0]))


def is_table_token(token: str) -> bool:
    """Return whether a token of a guest is that of a table, and not a track token."""
    return SEPARATOR in token


async def find_guest_key(token: str) -> TrackKey:
    """Return the key of the order of a track token or a table token. Raises ``NotFound``."""
    if not is_table_token(token):
        return await find_track_key(token)
    order_id, _, signed = token.partition(SEPARATOR)
    expires, _, signature = signed.partition(SEPARATOR)
    if not (order_id.isascii() and order_id.isdigit() and len(order_id) <= MAX_ID_LENGTH):
        raise NotFound
    owner_id = await signed_links.require_link_owner(PURPOSE, int(order_id), expires, signature)
    return TrackKey(owner_id, (await sql.require_one(SELECT_TRACK_HASH, int(order_id), owner_id))["track_hash"])


async def get_guest_order(token: str) -> Order:
    """Return an order by its track token, or by a table token without what is the first guest's own.

    Raises ``NotFound``, and ``TrackingExpired`` for a track token of an order that ended long ago.
    """
    if not is_table_token(token):
        return await queries.get_tracking(token)
    return _withhold(await queries.get_tracked(await find_guest_key(token)), token)


def _withhold(order: Order, token: str) -> Order:
    """Return an order as others at its table see it.

    Of the sections only links of the order are left, as those of this token.
    """
    return replace(
        order,
        track_token=token,
        customer_id=None,
        customer_name=None,
        phone=None,
        address=None,
        note=None,
        coupon_code=None,
        client_uuid=None,
        attributes={},
        lines=tuple(_withhold_note(line) for line in order.lines),
        sections={
            name: value.replace(order.track_token, token)
            for name, value in order.sections.items()
            if _is_link(value, order.track_token)
        },
    )


def _withhold_note(line: OrderLine) -> OrderLine:
    return replace(line, note=None, sections={})


def _is_link(value: Any, track_token: str) -> bool:
    return isinstance(value, str) and track_token in value
