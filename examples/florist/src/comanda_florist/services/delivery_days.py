"""Places on delivery days: checked, taken, released and reclaimed by orders."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder, StoreTerms
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.events.outbox import publish

from comanda_florist.events import BouquetPromised
from comanda_florist.services import shops
from comanda_florist.services.delivery_calendar import DeliveryCalendar

# One statement checks the capacity and takes a place, so that two customers cannot both get the last one.
TAKE_PLACE = """
    INSERT INTO florist_day AS d (owner_id, store_id, day, taken) VALUES ($1, $2, $3, 1)
    ON CONFLICT (store_id, owner_id, day) DO UPDATE SET taken = d.taken + 1
    WHERE $4::int IS NULL OR d.taken < $4
    RETURNING taken
"""
RELEASE_PLACE = """
    UPDATE florist_day SET taken = taken - 1
    WHERE owner_id = $1 AND store_id = $2 AND day = $3 AND taken > 0
"""
SELECT_FULL_DAYS = """
    SELECT day FROM florist_day WHERE owner_id = $1 AND store_id = $2 AND day >= $3 AND taken >= $4
"""


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """The delivery days and capacity of a shop, kept in memory with its menu."""

    calendar: DeliveryCalendar
    capacity: int | None


async def load_terms(terms: StoreTerms) -> DeliveryTerms:
    """Load the delivery terms of a shop."""
    rules = await shops.get_rules(terms.owner_id, terms.id)
    return DeliveryTerms(shops.get_calendar(terms, rules), rules.deliveries_per_day)


def validate_day(order_request: OrderRequest) -> Errors:
    """Return an error for a day on which the shop does not deliver."""
    day = _get_day(order_request)
    fault = _get_terms(order_request).calendar.find_fault(day, clock.now()) if day else None
    return {"delivery_day": [fault]} if fault else {}


async def reserve_place(order_request: OrderRequest) -> None:
    """Take a place on the delivery day.

    Raises ``ValidationFailed`` with the ``reason`` ``day_full``, and with ``next_free_day``, null if there is none.
    """
    loaded, terms, day = _get_terms(order_request), order_request.terms, _get_day(order_request)
    assert day is not None
    if not await _take_place(terms.owner_id, terms.id, day, loaded.capacity):
        raise await _to_day_full(terms, loaded, day)
    order_request.scheduled_for = loaded.calendar.get_start_time(day, clock.now())


async def announce_gift(order_request: OrderRequest, order_id: int) -> None:
    """Publish the gift in the order's transaction. Emits ``BouquetPromised``."""
    given = order_request.attributes
    event = BouquetPromised(
        order_id=order_id,
        restaurant_id=order_request.terms.id,
        recipient_name=given["recipient_name"],
        delivery_day=given["delivery_day"],
    )
    await publish(event, owner_id=order_request.terms.owner_id, store_id=order_request.terms.id)


async def release_place(order: PlacedOrder) -> None:
    """Release the place of a cancelled order."""
    await sql.execute(RELEASE_PLACE, order.owner_id, order.store_id, _get_order_day(order))


async def reclaim_place(order: PlacedOrder) -> None:
    """Take a place for a reopened order again; once its day has come, regardless of the capacity.

    Raises ``ValidationFailed`` if the day is full.
    """
    day = _get_order_day(order)
    rules = await shops.get_rules(order.owner_id, order.store_id)
    is_ahead = order.scheduled_for is None or order.scheduled_for > clock.now()
    if not await _take_place(order.owner_id, order.store_id, day, rules.deliveries_per_day if is_ahead else None):
        raise ValidationFailed(
            status=["The delivery day of this order is full now, so it cannot be reopened."],
            extras={"reason": "day_full"},
        )


async def _take_place(owner_id: int, store_id: int, day: date, capacity: int | None) -> bool:
    return await sql.fetch_value(TAKE_PLACE, owner_id, store_id, day, capacity) is not None


async def _to_day_full(terms: StoreTerms, loaded: DeliveryTerms, day: date) -> ValidationFailed:
    rows = await sql.fetch(SELECT_FULL_DAYS, terms.owner_id, terms.id, day, loaded.capacity)
    taken = {row["day"] for row in rows}
    later: Iterator[date] = (
        each for each in loaded.calendar.list_free_days(clock.now()) if each > day and each not in taken
    )
    next_free = next(islice(later, 1), None)
    found = f"The next available day is {next_free.isoformat()}." if next_free else "No later day is available."
    return ValidationFailed(
        delivery_day=[f"All deliveries of {day.isoformat()} are taken. {found}"],
        extras={"reason": "day_full", "next_free_day": next_free},
    )


def _get_terms(order_request: OrderRequest) -> DeliveryTerms:
    found: DeliveryTerms = order_request.loaded
    return found


def _get_day(order_request: OrderRequest) -> date | None:
    # An invalid day is not among the attributes and has its own error.
    text = order_request.attributes.get("delivery_day")
    return date.fromisoformat(text) if text else None


def _get_order_day(order: PlacedOrder) -> date:
    return date.fromisoformat(order.attributes["delivery_day"])
