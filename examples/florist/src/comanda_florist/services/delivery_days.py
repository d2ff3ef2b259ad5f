"""Places on delivery days: checked, taken, released and reclaimed by orders."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from comanda.basics import ValidationFailed, clock
from comanda.contracts import (
    Contribution,
    NewOrder,
    OrderRequest,
    PlacedOrder,
    Problem,
    Reservation,
    Status,
    StoreTerms,
)
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_florist.events import BouquetPromised
from comanda_florist.fulfillment_modes import GIFT_DELIVERY
from comanda_florist.models import Day
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
COUNT_GIFTS = f"""
    SELECT count(*) FROM core_order_v1
    WHERE owner_id = $1 AND store_id = $2 AND attributes ->> 'delivery_day' = $3::date::text AND scheduled_for >= $4
        AND type = '{GIFT_DELIVERY.code}' AND status <> '{Status.CANCELLED}'
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


def validate_day(request: OrderRequest, delivery: DeliveryTerms) -> Contribution | None:
    """Return a problem for a day on which the shop does not deliver; an order that is amended keeps its day."""
    if request.amends is not None:
        return None
    day = _get_day(request)
    fault = delivery.calendar.find_fault(day, clock.now()) if day else None
    return Contribution(problems=[Problem("delivery_day", fault)]) if fault else None


async def reserve_place(request: OrderRequest, delivery: DeliveryTerms) -> Reservation:
    """Take a place on the delivery day.

    Raises ``ValidationFailed`` with the ``reason`` ``day_full``, and with ``next_free_day``, null if there is none.
    """
    terms, day = request.terms, _get_day(request)
    assert day is not None
    if not await _take_place(terms.owner_id, terms.id, day, delivery.capacity):
        raise await _to_day_full(terms, delivery, day)
    return Reservation(scheduled_for=delivery.calendar.get_start_time(day, clock.now()))


async def announce_gift(request: OrderRequest, _delivery: DeliveryTerms, order: NewOrder) -> None:
    """Publish the gift in the order's transaction. Emits ``BouquetPromised``."""
    given = order.attributes
    event = BouquetPromised(
        order_id=order.id,
        restaurant_id=request.terms.id,
        recipient_name=given["recipient_name"],
        delivery_day=given["delivery_day"],
    )
    await publish(event, owner_id=request.terms.owner_id, store_id=request.terms.id)


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


async def recount_places(since: datetime) -> None:
    """Count the taken places of each day again, for orders were cancelled while the plugin was away."""
    for day in await Day.filter(day__gte=since.date()).values("owner_id", "store_id", "day"):
        async with sql.transaction():
            # An order that is being placed has the row locked, and is counted.
            locked = await Day.select_for_update().get(**day)
            values = (day["owner_id"], day["store_id"], day["day"], since)
            locked.taken = await sql.fetch_value(COUNT_GIFTS, *values)
            await locked.save(update_fields=["taken"])


async def _take_place(owner_id: int, store_id: int, day: date, capacity: int | None) -> bool:
    return await sql.fetch_value(TAKE_PLACE, owner_id, store_id, day, capacity) is not None


async def _to_day_full(terms: StoreTerms, delivery: DeliveryTerms, day: date) -> ValidationFailed:
    rows = await sql.fetch(SELECT_FULL_DAYS, terms.owner_id, terms.id, day, delivery.capacity)
    taken = {row["day"] for row in rows}
    later: Iterator[date] = (
        each for each in delivery.calendar.list_free_days(clock.now()) if each > day and each not in taken
    )
    next_free = next(islice(later, 1), None)
    found = f"The next available day is {next_free.isoformat()}." if next_free else "No later day is available."
    return ValidationFailed(
        delivery_day=[f"All deliveries of {day.isoformat()} are taken. {found}"],
        extras={"reason": "day_full", "next_free_day": next_free},
    )


def _get_day(request: OrderRequest) -> date | None:
    # An invalid day is not among the fields and has its own error.
    text = request.fields.get("delivery_day")
    return date.fromisoformat(text) if text else None


def _get_order_day(order: PlacedOrder) -> date:
    return date.fromisoformat(order.attributes["delivery_day"])
