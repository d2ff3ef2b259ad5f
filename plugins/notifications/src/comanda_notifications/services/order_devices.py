"""Browsers that asked, on an order's page, for push messages about that order: no account, and gone with the order."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.accounts import tokens
from comanda.basics import Conflict, ValidationFailed, clock
from comanda.contracts import DeliveryStatus, OrderState, Status
from comanda.orders import Order, status
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import N_

from comanda_notifications.services import devices, template_texts
from comanda_notifications.services.validation import parse_push_token

# The guests of one table, each with a telephone. Whoever has the link may register, so more are refused.
MAX_DEVICES: Final = 5
# What these browsers are told, whatever the store has chosen for its guests.
MESSAGES: Final = frozenset({"ready", "on_its_way", "near", "delivered", "failed", "cancelled"})
ARRIVED: Final = frozenset({DeliveryStatus.DELIVERED, DeliveryStatus.FAILED})
# An order that nobody closes does not keep what its guests left.
KEPT_DAYS: Final = 60

TOO_MANY: Final = N_("Too many browsers are notified about this order.")
NOTHING_TO_COME: Final = N_("There is nothing more to come about this order.")

COUNT_OTHERS: Final = """
    SELECT count(*) FROM notifications_order_device WHERE owner_id = $1 AND order_id = $2 AND token_hash <> $3
"""
UPSERT_DEVICE: Final = """
    INSERT INTO notifications_order_device (owner_id, order_id, token, token_hash, locale, registered_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (order_id, owner_id, token_hash) DO UPDATE SET locale = EXCLUDED.locale
"""
DELETE_DEVICE: Final = """
    DELETE FROM notifications_order_device WHERE owner_id = $1 AND order_id = $2 AND token_hash = $3
"""
SELECT_DEVICES: Final = """
    SELECT id, token, 'web' AS platform, locale FROM notifications_order_device
    WHERE owner_id = $1 AND order_id = $2 ORDER BY id
"""
DELETE_ENDED: Final = """
    DELETE FROM notifications_order_device WHERE (id, owner_id) IN (
        SELECT d.id, d.owner_id FROM notifications_order_device d
        JOIN core_order_v1 o ON o.id = d.order_id AND o.owner_id = d.owner_id
        WHERE o.status IN ('completed', 'cancelled') OR d.registered_at < $1 LIMIT $2)
"""


def has_news_to_come(order: OrderState) -> bool:
    """Return whether something is still to be told about an order: that it is ready, or on its way."""
    if not order.status.is_open:
        return False
    if order.delivery_status is not None:
        return order.delivery_status not in ARRIVED
    mode = runtime.registry().fulfillment_modes.get(order.type)
    return mode is not None and mode.is_collection and order.status is not Status.READY


@sql.transaction()
async def register_device(order: Order, token: str, locale: str | None) -> None:
    """Register a browser for push messages about an order; registering it again renews it.

    Raises ``ValidationFailed`` on ``token``, and ``Conflict`` if nothing is to come or too many are registered.
    """
    push_token = parse_push_token(token)
    if push_token is None:
        raise ValidationFailed(token=["Must be a push token."])
    # The order may end meanwhile, and many may register at once.
    locked = await status.lock_order(order.owner_id, order.id)
    is_brought = order.table_number is not None or order.room_number is not None
    if is_brought or not has_news_to_come(OrderState(locked.type, locked.status, locked.delivery_status)):
        raise Conflict(NOTHING_TO_COME, extras={"reason": "nothing_to_come"})
    place, digest = (order.owner_id, order.id), tokens.hash_token(push_token)
    if await sql.fetch_value(COUNT_OTHERS, *place, digest) >= MAX_DEVICES:
        raise Conflict(TOO_MANY, extras={"limits": {"devices": MAX_DEVICES}})
    await sql.execute(UPSERT_DEVICE, *place, push_token, digest, locale, clock.now())


@sql.transaction()
async def unregister_device(order: Order, token: str) -> None:
    """Unregister a browser; one that is not registered is ignored."""
    await sql.execute(DELETE_DEVICE, order.owner_id, order.id, tokens.hash_token(token.strip()))


async def push_template(
    name: str,
    values: Mapping[str, object],
    data: Mapping[str, Any],
    *,
    owner_id: int,
    store_id: int,
    order_id: int,
    once: str,
    expires_at: datetime,
) -> int:
    """Store a message from a template for each browser of an order, and return their number.

    Each is in the language of the page on which it was asked for, and erased once it was sent.
    """
    found = await sql.fetch(SELECT_DEVICES, owner_id, order_id)
    if not found:
        return 0
    words = await template_texts.load_texts(name, "push", owner_id, store_id)
    return await devices.create_messages_to(
        found, lambda locale: words.render(values, locale), data,
        owner_id=owner_id, store_id=store_id, purpose=name, is_secret=True, once=once, expires_at=expires_at,
    )  # fmt: skip


async def delete_devices_of_ended_orders(limit: int) -> None:
    """Delete the browsers of orders that have ended, or that nobody has closed for ``KEPT_DAYS``."""
    before = clock.now() - timedelta(days=KEPT_DAYS)
    while await sql.execute(DELETE_ENDED, before, limit) == limit:
        pass
