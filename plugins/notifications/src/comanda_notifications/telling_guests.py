"""Messages that guests get about their orders, in stores whose owners want it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from comanda import clock, runtime
from comanda.contracts.callers import Caller
from comanda.contracts.events import StoredEvent
from comanda.contracts.messaging import Channel
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda.orders.events import OrderCreated, OrderStatusChanged
from comanda.phones import normalize_phone
from comanda.stores.services import require_store

from comanda_notifications import api, settings
from comanda_notifications.erasing import CUSTOMER
from comanda_notifications.models import OrderMessages
from comanda_notifications.schemas import OrderMessagesChange

log = structlog.get_logger(__name__)

CORE_EVENTS: Final = (OrderCreated, OrderStatusChanged)
# Of the plugin drivers, which need not be installed: the event's name, and the state of the delivery that it tells of.
DELIVERY_EVENTS: Final = {
    "order.out_for_delivery": (DeliveryStatus.OUT_FOR_DELIVERY, "on_its_way"),
    "order.delivered": (DeliveryStatus.DELIVERED, "delivered"),
    "order.delivery_failed": (DeliveryStatus.FAILED, "failed"),
}
# News of an order is no news later than this.
FRESH: Final = timedelta(hours=2)
# An app costs nothing; what costs something comes after it.
DEFAULT_CHANNELS: Final[tuple[Channel, ...]] = ("push", "sms", "email")

CHOOSE: Final = """
    INSERT INTO notifications_order_messages AS m (store_id, owner_id, messages, channels)
    VALUES ($1, $2, coalesce($3::text[], '{}'), coalesce($4::text[], $5::text[]))
    ON CONFLICT (store_id, owner_id) DO UPDATE SET
        messages = coalesce($3::text[], m.messages), channels = coalesce($4::text[], m.channels)
"""
READ: Final = """
    SELECT o.id, o.owner_id, o.store_id, o.number, o.type, o.status, o.delivery_status, o.customer_id, o.phone,
        o.table_number, o.room_number, o.track_token, s.title, s.country, m.messages, m.channels
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id
    JOIN notifications_order_messages m ON m.store_id = o.store_id AND m.owner_id = o.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    JOIN core_owner w ON w.id = o.owner_id
    WHERE m.messages <> '{}' AND NOT w.is_suspended
"""
# Of the plugin customers, where that is installed.
CUSTOMERS: Final = """
    SELECT c.id, c.email, c.phone, c.locale FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN customers_customer c ON c.id = asked.id AND c.owner_id = asked.owner_id WHERE c.erased_at IS NULL
"""


async def chosen(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell what a store's guests are told. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await OrderMessages.get_or_none(id=store_id, owner_id=caller.owner_id)
    if row is None:
        return {"messages": [], "channels": list(DEFAULT_CHANNELS)}
    return {"messages": row.messages, "channels": row.channels}


@sql.transaction()
async def choose(caller: Caller, store_id: int, change: OrderMessagesChange) -> dict[str, Any]:
    """Choose what a store's guests are told from now on. Raises ``NotFound``."""
    await require_store(caller, store_id)
    given = (_once(change.messages), _once(change.channels))
    await sql.execute(CHOOSE, store_id, caller.owner_id, *given, list(DEFAULT_CHANNELS))
    return await chosen(caller, store_id)


async def tell(events: Sequence[StoredEvent]) -> None:
    """Write to guests what has become of their orders; a repeated event writes nothing twice."""
    fresh = [event for event in events if clock.now() - event.occurred_at < FRESH]
    if not fresh:
        return
    ids = [int(str(event.data["order_id"])) for event in fresh]
    orders = {row["id"]: row for row in await sql.fetch(READ, ids, [event.owner_id for event in fresh])}
    news = [News(orders[id], what, event) for id, event in zip(ids, fresh, strict=True) if id in orders
            if (what := _what(event, orders[id])) in orders[id]["messages"]]  # fmt: skip
    customers = await _customers([one.order for one in news])
    for one in news:
        await _tell(one, customers.get(one.order["customer_id"]))


@dataclass(frozen=True, slots=True)
class News:
    """An order, and what its guest is told of it because of an event."""

    order: sql.Row
    what: str | None
    event: StoredEvent

    @property
    def template(self) -> str:
        """The template that words it."""
        return f"orders.{self.what}"

    @property
    def stored(self) -> dict[str, Any]:
        """How it is stored: once for each order, and not sent when it is news no more."""
        expires_at: datetime = self.event.occurred_at + FRESH
        return {
            "values": {
                "number": self.order["number"],
                "store": self.order["title"],
                "link": settings.tracking_url(self.order["track_token"]),
            },
            "owner_id": self.order["owner_id"],
            "store_id": self.order["store_id"],
            "once": f"order:{self.order['id']}:{self.what}",
            "expires_at": expires_at,
        }


def _what(event: StoredEvent, order: sql.Row) -> str | None:
    """Name the message of an event, if the order still is as the event says: what was, nobody wants to know."""
    status, changed = order["status"], event.data.get("to")
    if event.name == OrderCreated.name:
        return None if status == Status.CANCELLED else "received"
    if event.name in DELIVERY_EVENTS:
        state, what = DELIVERY_EVENTS[event.name]
        return what if order["delivery_status"] == state else None
    if status != changed:
        return None
    if status == Status.READY and _is_collected(order):
        return "ready"
    return "cancelled" if status == Status.CANCELLED else None


def _is_collected(order: sql.Row) -> bool:
    mode = runtime.registry().fulfillment_modes.get(order["type"])
    is_brought = order["table_number"] is not None or order["room_number"] is not None
    return mode is not None and mode.is_collection and not is_brought


async def _customers(orders: Sequence[sql.Row]) -> dict[int, sql.Row]:
    known = [order for order in orders if order["customer_id"] is not None]
    if not known or all(plugin.name != "customers" for plugin in runtime.registry().plugins):
        return {}
    asked = [[order["customer_id"] for order in known], [order["owner_id"] for order in known]]
    return {row["id"]: row for row in await sql.fetch(CUSTOMERS, *asked)}


async def _tell(news: News, customer: sql.Row | None) -> None:
    """Send by the first channel that reaches the guest."""
    for channel in news.order["channels"]:
        try:
            if await BY[channel](news, customer):
                return
        except (RateLimited, ValidationFailed) as error:
            log.warning("guest_not_told", order_id=news.order["id"], channel=channel, error=str(error))


async def _by_push(news: News, customer: sql.Row | None) -> bool:
    guest = news.order["customer_id"]
    if guest is None:
        return False
    data = {"order_id": news.order["id"], "event": news.what}
    language = customer["locale"] if customer is not None else None
    return await api.push_template(news.template, CUSTOMER, [guest], data, language=language, **news.stored) > 0


async def _by_sms(news: News, customer: sql.Row | None) -> bool:
    written = news.order["phone"] or (customer["phone"] if customer is not None else None)
    number = normalize_phone(written, news.order["country"]) if written else None
    # Digits without a country's code reach somebody, or nobody, but hardly the guest.
    return number is not None and number.startswith("+") and await _send(news, "sms", number, customer)


async def _by_email(news: News, customer: sql.Row | None) -> bool:
    address = customer["email"] if customer is not None else None
    return bool(address) and await _send(news, "email", str(address), customer)


async def _send(news: News, channel: Channel, to: str, customer: sql.Row | None) -> bool:
    language = customer["locale"] if customer is not None else None
    # Whoever has the link can follow the order, so it does not stay in the table for a month.
    await api.send_template(news.template, to=to, channel=channel, language=language, secret=True, **news.stored)
    return True


BY: Final[dict[Channel, Callable[[News, sql.Row | None], Any]]] = {
    "push": _by_push,
    "sms": _by_sms,
    "email": _by_email,
}


def _once(words: Sequence[str] | None) -> list[str] | None:
    return None if words is None else list(dict.fromkeys(words))
