"""Messages to guests about their orders, in stores that have turned them on."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypedDict

import structlog
from comanda.basics import RateLimited, ValidationFailed, clock, normalize_phone
from comanda.contracts import Caller, Channel, DeliveryStatus, Status, StoredEvent
from comanda.orders import AWAITS_PAYMENT, PAY_BY, OrderCreated, OrderPaid
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_notifications import api, settings
from comanda_notifications.models import OrderMessages, Urgency
from comanda_notifications.records import GuestMessages
from comanda_notifications.schemas import OrderMessagesChange
from comanda_notifications.services import opt_outs, order_devices, sms_limits
from comanda_notifications.services.devices import CUSTOMER_KIND

log = structlog.get_logger(__name__)

# Events of the plugin drivers, by name since it may not be installed, with the delivery status and the message.
DELIVERY_EVENTS: Final = {
    "order.out_for_delivery": (DeliveryStatus.OUT_FOR_DELIVERY, "on_its_way"),
    "order.driver_near": (DeliveryStatus.OUT_FOR_DELIVERY, "near"),
    "order.delivered": (DeliveryStatus.DELIVERED, "delivered"),
    "order.delivery_failed": (DeliveryStatus.FAILED, "failed"),
}
# Guests are not notified of older events.
MAX_EVENT_AGE: Final = timedelta(hours=2)
# Push is free, so it comes before channels that cost money.
DEFAULT_CHANNELS: Final[tuple[Channel, ...]] = ("push", "sms", "email")

UPSERT_ORDER_MESSAGES: Final = """
    INSERT INTO notifications_order_messages AS m (store_id, owner_id, messages, channels, reply_to)
    VALUES ($1, $2, coalesce($3::text[], '{}'), coalesce($4::text[], $5::text[]), $7)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET
        messages = coalesce($3::text[], m.messages), channels = coalesce($4::text[], m.channels),
        reply_to = CASE WHEN $6 THEN $7 ELSE m.reply_to END
"""
SELECT_ORDERS: Final = f"""
    SELECT o.id, o.owner_id, o.store_id, o.number, o.type, o.status, o.delivery_status, o.customer_id, o.phone,
        o.table_number, o.room_number, o.track_token, s.title, s.country, coalesce(m.messages, '{{}}') AS messages,
        coalesce(m.channels, '{{}}') AS channels, d.is_followed, {AWAITS_PAYMENT} AS awaits_payment,
        o.attributes ? '{PAY_BY}' AS is_paid_first
    FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN core_order_v1 o ON o.id = given.id AND o.owner_id = given.owner_id
    LEFT JOIN notifications_order_messages m ON m.store_id = o.store_id AND m.owner_id = o.owner_id
    CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM notifications_order_device f WHERE f.order_id = o.id AND f.owner_id = o.owner_id)) d (is_followed)
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    JOIN core_owner_v1 w ON w.id = o.owner_id
    WHERE (d.is_followed OR m.messages <> '{{}}') AND NOT w.is_suspended
"""
# Requires the plugin customers.
SELECT_CUSTOMERS: Final = """
    SELECT c.id, c.email, c.phone, c.locale FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN customers_customer_v1 c ON c.id = given.id AND c.owner_id = given.owner_id
"""


async def get_order_messages(caller: Caller, store_id: int) -> GuestMessages:
    """Return which messages a store's guests receive, and by which channels. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await OrderMessages.get_or_none(id=store_id, owner_id=caller.owner_id)
    if row is None:
        return GuestMessages([], DEFAULT_CHANNELS)
    return GuestMessages(row.messages, row.channels, row.reply_to)


@sql.transaction()
async def update_order_messages(caller: Caller, store_id: int, change: OrderMessagesChange) -> GuestMessages:
    """Update which messages a store's guests receive, and by which channels. Raises ``NotFound``."""
    await require_store(caller, store_id)
    given = (_deduplicate(change.messages), _deduplicate(change.channels))
    reply_to = ("reply_to" in change.model_fields_set, change.reply_to)
    await sql.execute(UPSERT_ORDER_MESSAGES, store_id, caller.owner_id, *given, list(DEFAULT_CHANNELS), *reply_to)
    return await get_order_messages(caller, store_id)


async def notify_guests(events: Sequence[StoredEvent]) -> None:
    """Notify guests of the progress of their orders; a repeated event sends nothing twice."""
    recent = [event for event in events if clock.now() - event.occurred_at < MAX_EVENT_AGE]
    if not recent:
        return
    ids = [int(str(event.data["order_id"])) for event in recent]
    orders = {row["id"]: row for row in await sql.fetch(SELECT_ORDERS, ids, [event.owner_id for event in recent])}
    notifications = [
        OrderNotification(orders[id], message, event)
        for id, event in zip(ids, recent, strict=True)
        if id in orders and (message := _choose_message(event, orders[id])) is not None
    ]
    customers = await _get_customers([each.order for each in notifications if each.is_chosen])
    for each in notifications:
        await _notify_guest(each, customers.get(each.order["customer_id"]))


class SendOptions(TypedDict):
    """Arguments of the functions that send a template message."""

    values: Mapping[str, object]
    owner_id: int
    store_id: int
    once: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OrderNotification:
    """An order and the message to its guest because of an event."""

    order: sql.Row
    message: str
    event: StoredEvent

    @property
    def is_chosen(self) -> bool:
        """Whether the store sends its guests this message."""
        return self.message in self.order["messages"]

    @property
    def template(self) -> str:
        """The name of the message template."""
        return f"orders.{self.message}"

    @property
    def urgency(self) -> Urgency:
        """How soon an SMS has to arrive: what has been delivered is known to whoever took it."""
        return Urgency.LATER if self.message == "delivered" else Urgency.PROMPT

    @property
    def link(self) -> str:
        """The URL of the order's page."""
        return settings.get_tracking_url(self.order["store_id"], self.order["track_token"])

    @property
    def options(self) -> SendOptions:
        """The arguments for sending: once per order, and not after ``MAX_EVENT_AGE``."""
        return SendOptions(
            values={"number": self.order["number"], "store": self.order["title"], "link": self.link},
            owner_id=self.order["owner_id"],
            store_id=self.order["store_id"],
            once=f"order:{self.order['id']}:{self.message}",
            expires_at=self.event.occurred_at + MAX_EVENT_AGE,
        )


Send = Callable[[OrderNotification, sql.Row | None], Awaitable[bool]]


def _choose_message(event: StoredEvent, order: sql.Row) -> str | None:
    """Return the message for an event, or None if the order's status has changed since."""
    status, new_status = order["status"], event.data.get("to")
    if event.name in {OrderCreated.name, OrderPaid.name}:
        # The store has an order that is paid first once it is paid.
        is_received = event.name == OrderCreated.name or order["is_paid_first"]
        return "received" if is_received and status != Status.CANCELLED and not order["awaits_payment"] else None
    if event.name in DELIVERY_EVENTS:
        state, message = DELIVERY_EVENTS[event.name]
        return message if order["delivery_status"] == state else None
    if status != new_status:
        return None
    if status == Status.READY and _is_collected(order):
        return "ready"
    return "cancelled" if status == Status.CANCELLED else None


def _is_collected(order: sql.Row) -> bool:
    mode = runtime.registry().fulfillment_modes.get(order["type"])
    is_brought = order["table_number"] is not None or order["room_number"] is not None
    return mode is not None and mode.is_collection and not is_brought


async def _get_customers(orders: Sequence[sql.Row]) -> dict[int, sql.Row]:
    known = [order for order in orders if order["customer_id"] is not None]
    if not known or all(plugin.name != "customers" for plugin in runtime.registry().plugins):
        return {}
    given = [[order["customer_id"] for order in known], [order["owner_id"] for order in known]]
    return {row["id"]: row for row in await sql.fetch(SELECT_CUSTOMERS, *given)}


async def _notify_guest(notification: OrderNotification, customer: sql.Row | None) -> None:
    """Send to the browsers that asked for it, and by the first of the store's channels that reaches the guest.

    Browsers that asked are reached by push. An SMS that would not be sent now is the last that is tried.
    """
    is_pushed = notification.order["is_followed"] and await _try(_push_to_page, notification, customer)
    if not notification.is_chosen:
        return
    for channel in await _sort_channels(notification, customer):
        if (channel == "push" and is_pushed) or await _try(SENDERS[channel], notification, customer):
            return


async def _try(send: Send, notification: OrderNotification, customer: sql.Row | None) -> bool:
    try:
        return await send(notification, customer)
    except (RateLimited, ValidationFailed) as error:
        log.warning("guest_not_notified", order_id=notification.order["id"], error=str(error))
        return False


async def _sort_channels(notification: OrderNotification, customer: sql.Row | None) -> list[Channel]:
    channels: list[Channel] = notification.order["channels"]
    number = _find_number(notification, customer) if "sms" in channels else None
    if number is None or await _is_sent_now(notification, number):
        return channels
    return [*(channel for channel in channels if channel != "sms"), "sms"]


async def _is_sent_now(notification: OrderNotification, number: str) -> bool:
    owner_id = notification.order["owner_id"]
    terms = await sms_limits.get_terms(owner_id, notification.order["store_id"])
    return terms.allows_now(notification.urgency) and not await opt_outs.is_opted_out(owner_id, number)


async def _push_to_page(notification: OrderNotification, _customer: sql.Row | None) -> bool:
    if notification.message not in order_devices.MESSAGES:
        return False
    order, options = notification.order, notification.options
    sent = await order_devices.push_template(
        notification.template,
        options["values"],
        {"link": notification.link},
        owner_id=order["owner_id"],
        store_id=order["store_id"],
        order_id=order["id"],
        # The devices of accounts have ids of their own.
        once=f"{options['once']}:page",
        expires_at=options["expires_at"],
    )
    return sent > 0


async def _send_push(notification: OrderNotification, customer: sql.Row | None) -> bool:
    customer_id = notification.order["customer_id"]
    if customer_id is None:
        return False
    data = {"order_id": notification.order["id"], "event": notification.message}
    language = customer["locale"] if customer is not None else None
    sent = await api.push_template(
        notification.template, CUSTOMER_KIND, [customer_id], data, language=language, **notification.options
    )
    return sent > 0


async def _send_sms(notification: OrderNotification, customer: sql.Row | None) -> bool:
    number = _find_number(notification, customer)
    return number is not None and await _send(notification, "sms", number, customer)


def _find_number(notification: OrderNotification, customer: sql.Row | None) -> str | None:
    phone = notification.order["phone"] or (customer["phone"] if customer is not None else None)
    number = normalize_phone(phone, notification.order["country"]) if phone else None
    # A number without a country code would reach the wrong person, or nobody.
    return number if number is not None and number.startswith("+") else None


async def _send_email(notification: OrderNotification, customer: sql.Row | None) -> bool:
    address = customer["email"] if customer is not None else None
    return bool(address) and await _send(notification, "email", str(address), customer)


async def _send(notification: OrderNotification, channel: Channel, to: str, customer: sql.Row | None) -> bool:
    language = customer["locale"] if customer is not None else None
    # Anybody with the link can follow the order, so the text is erased once it was sent.
    await api.send_template(
        notification.template, to=to, channel=channel, language=language, secret=True, urgency=notification.urgency,
        **notification.options,
    )  # fmt: skip
    return True


SENDERS: Final[dict[Channel, Send]] = {"push": _send_push, "sms": _send_sms, "email": _send_email}


def _deduplicate(values: Sequence[str] | None) -> list[str] | None:
    return None if values is None else list(dict.fromkeys(values))
