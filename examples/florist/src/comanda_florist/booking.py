"""The part that delivery days take in an order: the day is checked, taken, given back and taken again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder, StoreTerms
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.events.outbox import publish

from comanda_florist import shops
from comanda_florist.calendar import Calendar
from comanda_florist.events import BouquetPromised

# One statement finds the day's room and takes it: two customers cannot both be given the last place.
TAKE = """
    INSERT INTO florist_day AS d (owner_id, store_id, day, taken) VALUES ($1, $2, $3, 1)
    ON CONFLICT (store_id, owner_id, day) DO UPDATE SET taken = d.taken + 1
    WHERE $4::int IS NULL OR d.taken < $4
    RETURNING taken
"""
GIVE_BACK = """
    UPDATE florist_day SET taken = taken - 1
    WHERE owner_id = $1 AND store_id = $2 AND day = $3 AND taken > 0
"""
FULL = """
    SELECT day FROM florist_day WHERE owner_id = $1 AND store_id = $2 AND day >= $3 AND taken >= $4
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What every order of one shop asks, kept in memory with the shop's menu."""

    calendar: Calendar
    capacity: int | None


async def load(terms: StoreTerms) -> Loaded:
    """Read how a shop delivers."""
    rules = await shops.rules_of(terms.owner_id, terms.id)
    return Loaded(shops.calendar_of(terms, rules), rules.deliveries_per_day)


def validate(incoming: OrderRequest) -> Errors:
    """Refuse a day on which the shop does not deliver."""
    day = _day(incoming)
    fault = _loaded(incoming).calendar.fault(day, clock.now()) if day else None
    return {"delivery_day": [fault]} if fault else {}


async def reserve(incoming: OrderRequest) -> None:
    """Take one of the day's deliveries.

    Raises ``ValidationFailed`` with the ``reason`` ``day_full``, and with ``next_free_day``, null if there is none.
    """
    loaded, terms, day = _loaded(incoming), incoming.terms, _day(incoming)
    assert day is not None  # noqa: S101 - the field is required, and an order without it does not come here
    if not await _take(terms.owner_id, terms.id, day, loaded.capacity):
        raise await _full(terms, loaded, day)
    incoming.scheduled_for = loaded.calendar.delivered_from(day, clock.now())


async def placed(incoming: OrderRequest, order_id: int) -> None:
    """Announce the gift, in the order's own transaction. Emits ``BouquetPromised``."""
    given = incoming.attributes
    event = BouquetPromised(
        order_id=order_id,
        restaurant_id=incoming.terms.id,
        recipient_name=given["recipient_name"],
        delivery_day=given["delivery_day"],
    )
    await publish(event, owner_id=incoming.terms.owner_id, store_id=incoming.terms.id)


async def cancelled(order: PlacedOrder) -> None:
    """Give the place of a cancelled order back."""
    await sql.execute(GIVE_BACK, order.owner_id, order.store_id, _day_of(order))


async def reopened(order: PlacedOrder) -> None:
    """Take the place of an order again that is not cancelled any more, room or not once its day has come.

    Raises ``ValidationFailed`` when others have taken it.
    """
    day = _day_of(order)
    rules = await shops.rules_of(order.owner_id, order.store_id)
    is_ahead = order.scheduled_for is None or order.scheduled_for > clock.now()
    if not await _take(order.owner_id, order.store_id, day, rules.deliveries_per_day if is_ahead else None):
        raise ValidationFailed(
            status=["Others have taken this order's day since, so it cannot be reopened."],
            extras={"reason": "day_full"},
        )


async def _take(owner_id: int, store_id: int, day: date, capacity: int | None) -> bool:
    return await sql.fetch_value(TAKE, owner_id, store_id, day, capacity) is not None


async def _full(terms: StoreTerms, loaded: Loaded, day: date) -> ValidationFailed:
    rows = await sql.fetch(FULL, terms.owner_id, terms.id, day, loaded.capacity)
    taken = {row["day"] for row in rows}
    later: Iterator[date] = (each for each in loaded.calendar.free(clock.now()) if each > day and each not in taken)
    next_free = next(islice(later, 1), None)
    found = f"The next day with room is {next_free.isoformat()}." if next_free else "No later day has room."
    return ValidationFailed(
        delivery_day=[f"All deliveries of {day.isoformat()} are taken. {found}"],
        extras={"reason": "day_full", "next_free_day": next_free},
    )


def _loaded(incoming: OrderRequest) -> Loaded:
    found: Loaded = incoming.loaded
    return found


def _day(incoming: OrderRequest) -> date | None:
    # What did not validate is not among the attributes, and has been complained of.
    text = incoming.attributes.get("delivery_day")
    return date.fromisoformat(text) if text else None


def _day_of(order: PlacedOrder) -> date:
    return date.fromisoformat(order.attributes["delivery_day"])
