"""A month of orders for the demo's stores, so that reports, guests and lists have something to show.

For each store sample orders are drafted and priced like its own, then repeated over days and hours. The orders are
inserted as they ended, without events: nothing is to be sent, cooked or delivered because of them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from random import Random
from typing import Final

from comanda.basics import clock
from comanda.contracts.demo import Showcase
from comanda.contracts.orders.bodies import LineBody, OrderBody
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.status import DeliveryStatus, PaymentStatus, Status
from comanda.contracts.requests.callers import Caller
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.contracts.stores.verticals import VerticalGroup
from comanda.menu import snapshot
from comanda.operations.demo_data.builder import HISTORY_SOURCE, fill_once
from comanda.orders.drafts.draft import OrderChannel, OrderLimits, draft_order, list_modes
from comanda.orders.intake.insert_statements import INSERTED_COLUMNS, LINE_COLUMNS, OWN_COLUMNS, OWN_TYPES
from comanda.orders.intake.insertion import OrderOrigin, build_lines, build_order, build_rows, to_business_date
from comanda.orders.records import LINE_TYPES, Order, OrderLine
from comanda.orders.track_tokens import generate_track_token
from comanda.platform.db import sql

CHANNEL: Final = OrderChannel("owner", HISTORY_SOURCE, OrderLimits(lines=200, quantity=999))
ORIGIN: Final = OrderOrigin(None, HISTORY_SOURCE, CHANNEL.audience, None, None, None)
DAYS: Final = 30
SAMPLES: Final = 40
# Later orders could still be open.
MIN_AGE: Final = timedelta(hours=1)
CANCELLED_SHARE: Final = 0.03
# The stages that an order reached, with the minutes after the one before.
STAGES: Final = {"preparing_at": 3, "ready_at": 14, "completed_at": 6}
DELIVERY_STAGES: Final = {
    "preparing_at": 3, "ready_at": 14, "picked_up_at": 2, "out_for_delivery_at": 1, "delivered_at": 12,
    "completed_at": 1,
}  # fmt: skip
FIRST_NAMES: Final = ("Ana", "Bruno", "Carla", "Diogo", "Elena", "Filipe", "Greta", "Hugo", "Irina", "Jamal")
LAST_NAMES: Final = ("Antunes", "Brito", "Costa", "Duarte", "Esteves", "Fonseca")
STREETS: Final = ("Rua da Prata", "Rua do Ouro", "Avenida da Liberdade", "Rua Augusta", "Rua da Rosa")

COUNT_ORDERS: Final = "SELECT count(*) FROM core_order_tally WHERE store_id = $1 AND owner_id = $2"
SELECT_MENU_VERSION: Final = "SELECT menu_version FROM core_store WHERE id = $1 AND owner_id = $2"
VALUES: Final = ", ".join(
    {"owner_id": "$1::bigint", "store_id": "$2::bigint"}.get(name) or f"o.{name}" for name in INSERTED_COLUMNS
)
INSERT_PAST_ORDERS: Final = f"""
    WITH given AS MATERIALIZED (
        SELECT o.* FROM ROWS FROM (
            jsonb_to_recordset($3::jsonb) AS ({OWN_TYPES}, lines jsonb), unnest($4::int[]), unnest($5::date[]))
            AS o ({", ".join(OWN_COLUMNS)}, lines, number, business_date)),
    inserted AS (
        INSERT INTO core_order ({", ".join(INSERTED_COLUMNS)})
        SELECT {VALUES} FROM given o ORDER BY o.created_at
        RETURNING id, number, business_date)
    INSERT INTO core_order_line (owner_id, order_id, {", ".join(LINE_COLUMNS)})
    SELECT $1, i.id, {", ".join(f"l.{name}" for name in LINE_COLUMNS)}
    FROM inserted i JOIN given o ON o.number = i.number AND o.business_date = i.business_date,
        jsonb_to_recordset(o.lines) AS l ({LINE_TYPES})
"""
INSERT_TALLY: Final = """
    INSERT INTO core_order_tally (store_id, owner_id, business_date, last_number, completed, cancelled)
    VALUES ($1, $2, $3, $4, $5, $6)
"""


@dataclass(frozen=True, slots=True)
class DayPattern:
    """The number of orders on each day of the week, from Monday, and the weight of each hour of a day."""

    weekdays: Sequence[int]
    hours: Mapping[int, int]


MEALS: Final = DayPattern((18, 17, 20, 23, 34, 40, 27), {12: 5, 13: 8, 14: 3, 18: 1, 19: 5, 20: 8, 21: 6, 22: 2})
SHOPPING: Final = DayPattern(
    (7, 6, 7, 8, 10, 13, 3), {9: 2, 10: 4, 11: 6, 12: 4, 13: 2, 14: 3, 15: 4, 16: 5, 17: 6, 18: 4}
)


@dataclass(frozen=True, slots=True)
class SampleOrder:
    """A priced order without its moment and guest, and its lines."""

    order: Order
    lines: Sequence[OrderLine]


async def create_past_orders(showcase: Showcase) -> None:
    """Insert a month of orders into each demo store that has never had one."""
    caller = showcase.caller()
    for store in showcase.stores:
        store_id = int(str(store["id"]))
        has_orders = bool(await sql.fetch_value(COUNT_ORDERS, store_id, caller.owner_id))
        await fill_once(f"history:{store_id}", partial(_fill_store, caller, store_id), is_there=has_orders)


def create_random(store_id: int) -> Random:
    """Return the numbers of a store's orders, the same in every installation."""
    return Random(store_id)  # noqa: S311 - nothing is secret here


async def _fill_store(caller: Caller, store_id: int) -> None:
    menu = await load_menu(caller, store_id)
    random = create_random(store_id)
    samples = list(_draft_samples(menu, caller, random))
    if not samples:
        return
    pattern = MEALS if is_food_store(menu) else SHOPPING
    placed = sorted(_repeat(menu, samples, pattern, random), key=lambda each: each[0].created_at)
    numbers: Counter[date] = Counter()
    rows, given = [], []
    for order, lines in placed:
        numbers[order.business_date] += 1
        rows.append(build_rows(order, lines, ORIGIN, None, None).to_json())
        given.append(numbers[order.business_date])
    days = [order.business_date for order, _lines in placed]
    await sql.execute(INSERT_PAST_ORDERS, caller.owner_id, store_id, f"[{b','.join(rows).decode()}]", given, days)
    ended = Counter(order.status for order, _lines in placed)
    last = max(numbers)
    counts = (numbers[last], ended[Status.COMPLETED], ended[Status.CANCELLED])
    await sql.execute(INSERT_TALLY, store_id, caller.owner_id, last, *counts)


async def load_menu(caller: Caller, store_id: int) -> snapshot.MenuSnapshot:
    """Return the menu of a store of the demo as it is now."""
    version = await sql.fetch_value(SELECT_MENU_VERSION, store_id, caller.owner_id)
    return await snapshot.get_snapshot(store_id, version)


def is_food_store(menu: snapshot.MenuSnapshot) -> bool:
    """Return whether a store sells meals."""
    return menu.terms.vertical is not None and menu.terms.vertical.group is VerticalGroup.FOOD


def list_usual_modes(menu: snapshot.MenuSnapshot) -> list[FulfillmentMode]:
    """List the modes of a store that need no appointment, its usual ones first."""
    return [mode for mode in list_modes(menu.terms, CHANNEL) if not mode.is_scheduled]


def _draft_samples(menu: snapshot.MenuSnapshot, caller: Caller, random: Random) -> Iterator[SampleOrder]:
    """Yield priced orders of one to four items in the modes that need no appointment."""
    items = [item for item in menu.items.values() if item.is_available]
    modes = list_usual_modes(menu)
    if not items or not modes:
        return
    for _count in range(SAMPLES):
        body = create_body(random.choice(modes[:3]), random.choices(items, k=random.randint(1, 4)), random)
        draft = draft_order(body, menu, CHANNEL, caller)
        if draft.problems or draft.fault is not None or not draft.quote.total_minor:
            continue
        lines = [replace(line, takes_stock=False) for line in build_lines(draft)]
        yield SampleOrder(build_order(menu.terms, body, draft, draft.contributions, ORIGIN, ""), lines)


def create_body(mode: FulfillmentMode, items: Sequence[OfferedItem], random: Random) -> OrderBody:
    """Return the body of an order of some items, with what its mode requires."""
    required = {name for name, _sentence in (*mode.required_fields, *mode.guest_fields)}
    values = {"table_number": str(random.randint(1, 5)), "room_number": str(random.randint(101, 120))}
    values["address"] = f"{random.choice(STREETS)} {random.randint(1, 90)}, Lisboa"
    lines = [
        LineBody(
            item_id=item.id,
            quantity=random.choice((1, 1, 1, 2)),
            variation=random.choice([*item.variant_by_id]) if item.variant_by_id else None,
            extras=[extra.id for group in item.groups for extra in group.extras[: group.min_count]],
        )
        for item in {item.id: item for item in items}.values()
    ]
    return OrderBody(
        type=mode.code, items=lines, source=HISTORY_SOURCE, **{name: values[name] for name in required & values.keys()}
    )


def _repeat(
    menu: snapshot.MenuSnapshot, samples: Sequence[SampleOrder], pattern: DayPattern, random: Random
) -> Iterator[tuple[Order, Sequence[OrderLine]]]:
    """Yield the orders of the last days while the store was open."""
    terms, now = menu.terms, clock.now()
    today = now.astimezone(terms.zone)
    hours, weights = list(pattern.hours), list(pattern.hours.values())
    for days in range(DAYS - 1, -1, -1):
        day = today - timedelta(days=days)
        for _count in range(round(pattern.weekdays[day.weekday()] * random.uniform(0.85, 1.15))):
            [hour] = random.choices(hours, weights)
            moment = day.replace(hour=hour, minute=random.randrange(60), second=random.randrange(60), microsecond=0)
            sample = random.choice(samples)
            if moment > now - MIN_AGE or (terms.hours is not None and not terms.hours.is_open(terms.zone, moment)):
                continue
            order = _end_order(sample.order, moment.astimezone(now.tzinfo), random)
            yield replace(order, business_date=to_business_date(terms, order.created_at)), sample.lines


def _end_order(order: Order, moment: datetime, random: Random) -> Order:
    """Return an order as it was when it had ended, of one of the store's guests unless it was for a table."""
    is_cancelled = random.random() < CANCELLED_SHARE
    is_delivery = order.delivery_status is not None
    stages = {"cancelled_at": 5} if is_cancelled else DELIVERY_STAGES if is_delivery else STAGES
    timeline, reached = {"created_at": moment}, moment
    for stage, minutes in stages.items():
        reached += timedelta(minutes=minutes * random.uniform(0.7, 1.6))
        timeline[stage] = reached
    name, phone = (None, None) if order.table_number else choose_guest(random)
    ended = replace(
        order,
        created_at=moment,
        updated_at=reached,
        timeline=timeline,
        customer_name=name,
        phone=phone,
        track_token=generate_track_token(order.owner_id),
    )
    if is_cancelled:
        return replace(ended, status=Status.CANCELLED)
    return replace(
        ended,
        status=Status.COMPLETED,
        delivery_status=DeliveryStatus.DELIVERED if is_delivery else None,
        payment_status=PaymentStatus.PAID,
        paid_minor=order.total_minor,
        paid_at=reached,
    )


def choose_guest(random: Random) -> tuple[str, str]:
    """Return the name and phone of a guest; some come often, most rarely."""
    number = int(len(FIRST_NAMES) * len(LAST_NAMES) * random.random() ** 2)
    first, last = FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number // len(FIRST_NAMES)]
    return f"{first} {last}", f"+351 91 555 {number:04}"
