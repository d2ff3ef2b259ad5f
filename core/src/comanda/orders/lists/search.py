"""Lists of orders, newest first: one function for owners, staff, customers, drivers and agents."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import clock, money
from comanda.basics.errors import ValidationFailed
from comanda.basics.text_search import escape_like
from comanda.contracts.orders.status import DeliveryStatus, PaymentStatus, Status
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.orders.bills.balance import AMOUNT_DUE, IS_PAID
from comanda.orders.lists.page_anchors import PageAnchors, PageStart, StoreAnchors, is_anchor_due
from comanda.orders.lists.search_grams import FOLDED_NAME, PHONE, SearchText, parse_text
from comanda.orders.lists.search_index import find_candidates
from comanda.orders.records import ORDER_COLUMNS, ORDER_LINES, Order, to_listed_order, to_order
from comanda.platform.db import sql
from comanda.platform.db.replica.reads import read_from_replica
from comanda.stores.business_days import get_day_start
from comanda.stores.services import require_store

PER_PAGE: Final = 30
DAY: Final = timedelta(days=1)
FIRST_DAY: Final = date(1970, 1, 1)
LAST_DAY: Final = date(2999, 12, 31)

# Each arm of the status has an index of its own, and only a few orders are in them.
IS_DUE: Final = f"""NOT {IS_PAID} AND (o.status IN ('new', 'preparing', 'ready', 'delivered') OR o.status = 'completed')
    AND {AMOUNT_DUE} > 0"""
IS_ACTIVE_DELIVERY: Final = """o.delivery_status IN ('pending', 'assigned', 'picked_up', 'out_for_delivery')
    AND o.status NOT IN ('cancelled', 'completed')"""
# Of each status, and of all of them.
COUNT_BY_TALLY: Final = {
    status: f"SELECT {status or ' + '.join(Status)} FROM core_order_tally WHERE store_id = $1 AND owner_id = $2"
    for status in (None, *Status)
}

_anchors: Final = PageAnchors()


@dataclass(frozen=True, slots=True)
class OrderLink:
    """Restricts a list to orders to which a row of a plugin's table refers with its ``order_id`` and ``owner_id``.

    The row's ``column`` has the value ``id``, and it satisfies ``condition``, in which the table is named ``link``.
    """

    table: str
    column: str
    id: int
    condition: str = "true"


@dataclass(frozen=True, slots=True)
class OrderScope:
    """Whose orders are listed: those of an owner's store, of one of its customers, or of a plugin's rows."""

    owner_id: int
    store_id: int
    customer_id: int | None = None
    link: OrderLink | None = None

    @property
    def is_whole_store(self) -> bool:
        """Whether these are all orders of the store, so that its tally has counted them."""
        return self.customer_id is None and self.link is None


@dataclass(frozen=True, slots=True)
class AmountRange:
    """Amounts between two limits in minor units of the store's currency, both inclusive; None is no limit."""

    min_minor: int | None = None
    max_minor: int | None = None


ANY_AMOUNT: Final = AmountRange()


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """Which orders of the scope are listed; all conditions must match.

    ``since`` is inclusive, ``before`` is not; ``first_day`` and ``last_day`` are business dates, both inclusive.
    ``text`` is part of a name or phone number, or an order's number or id; ``customer`` is part of a name or phone
    number alone. Nothing is due of a cancelled order. An active delivery is neither delivered nor failed, and its order
    is still open.
    """

    status: Status | None = None
    type: str | None = None
    table_number: str | None = None
    is_delivery: bool = False
    is_active_delivery: bool = False
    delivery_status: DeliveryStatus | None = None
    since: datetime | None = None
    before: datetime | None = None
    text: str | None = None
    source: str | None = None
    payment_status: PaymentStatus | None = None
    is_paid: bool | None = None
    is_due: bool = False
    first_day: date | None = None
    last_day: date | None = None
    customer: str | None = None
    total: AmountRange = ANY_AMOUNT

    @property
    def texts(self) -> list[SearchText]:
        """What ``text`` and ``customer`` search for."""
        found = [] if self.text is None else [parse_text(self.text, with_numbers=True)]
        return found if self.customer is None else [*found, parse_text(self.customer, with_numbers=False)]


EVERY_ORDER: Final = OrderFilter()


@read_from_replica
async def search_orders(
    scope: OrderScope,
    filters: OrderFilter,
    page: PageRequest,
    *,
    with_lines: bool = False,
    is_oldest_first: bool = False,
) -> RecordPage[Order]:
    """List orders, newest first unless told otherwise. The caller has checked that the scope is the caller's.

    Totals of a whole store, also by status, come from its tally; then a page deep in a long list costs what the first
    one costs, and the list of a million orders what the list of a thousand costs.
    """
    conditions = await _get_conditions(scope, filters)
    size, offset = page.size(PER_PAGE), page.offset(PER_PAGE)
    is_tallied = scope.is_whole_store and filters == OrderFilter(status=filters.status)

    if is_tallied and offset and not is_oldest_first:
        total = await _count_by_tally(scope, filters.status)
        if filters.status is None:
            orders = await _read_from_anchor(conditions, scope, size, offset, total, with_lines=with_lines)
        else:
            orders = await _read_from_nearer_end(conditions, size, offset, total, with_lines=with_lines)
        return page.of(orders, total, PER_PAGE)
    orders, tally = await _read_with_tally(
        conditions,
        PageStart(offset, is_ascending=is_oldest_first),
        size,
        tally=COUNT_BY_TALLY[filters.status] if is_tallied else None,
        with_lines=with_lines,
    )

    async def count() -> int:
        if not is_tallied:
            return await conditions.count()
        return await _count_by_tally(scope, filters.status) if tally is None else tally

    total = await page.get_total(orders, count, PER_PAGE)
    return page.of(orders[::-1] if is_oldest_first else orders, total, PER_PAGE)


async def read_pages(scope: OrderScope, filters: OrderFilter, size: int) -> AsyncGenerator[list[Order], None]:
    """Yield all orders in pages, newest first, each page with a statement of its own that continues the one before.

    So an order is yielded at most once, and none that is placed meanwhile; memory and connections are those of a page.
    """
    conditions = await _get_conditions(scope, filters)
    start = PageStart(0)
    while True:
        orders = await _read(conditions, start, size, with_lines=False)
        if orders:
            yield orders
        if len(orders) < size:
            return
        start = PageStart(0, orders[-1].id - 1)


async def get_store_scope(caller: Caller, store_id: int) -> OrderScope:
    """Return the scope of all orders of the caller's store. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return OrderScope(caller.owner_id, store_id)


async def to_calendar_days(caller: Caller, store_id: int, filters: OrderFilter) -> OrderFilter:
    """Return a filter by days of the store's calendar in place of business days. Raises ``NotFound``."""
    zone = ZoneInfo((await require_store(caller, store_id))["timezone"])
    first, last = (None if day is None else _clamp(day) for day in (filters.first_day, filters.last_day))
    return replace(
        filters,
        since=None if first is None else get_day_start(first, zone),
        before=None if last is None else get_day_start(last + DAY, zone),
        # Business dates are never further away; with them, the index of days finds the orders.
        first_day=None if first is None else first - DAY,
        last_day=None if last is None else last + DAY,
    )


def _clamp(day: date) -> date:
    return min(max(day, FIRST_DAY), LAST_DAY)


def parse_status(text: str | None) -> Status | None:
    """Return the kitchen status that a query names. Raises ``ValidationFailed`` for an unknown one."""
    if text is None:
        return None
    try:
        return Status(text)
    except ValueError as error:
        raise ValidationFailed(status=[f"Must be one of: {', '.join(Status)}."]) from error


async def get_amount_range(
    caller: Caller, store_id: int, min_total: float | None, max_total: float | None
) -> AmountRange:
    """Return the range of totals that a query names in the store's currency.

    Raises ``NotFound``, and ``ValidationFailed`` for an amount that the currency cannot express or a reversed range.
    """
    if min_total is None and max_total is None:
        return ANY_AMOUNT
    currency = (await require_store(caller, store_id))["currency"]
    min_minor = None if min_total is None else money.parse_amount(min_total, currency, "min_total")
    max_minor = None if max_total is None else money.parse_amount(max_total, currency, "max_total")
    if min_minor is not None and max_minor is not None and min_minor > max_minor:
        raise ValidationFailed(min_total=["Must not be more than max_total."])
    return AmountRange(min_minor, max_minor)


async def _get_conditions(scope: OrderScope, filters: OrderFilter) -> "_Conditions":
    conditions = _Conditions(scope, filters)
    for text in filters.texts:
        candidates = await find_candidates(scope.owner_id, scope.store_id, text)
        if candidates is not None:
            conditions.add_candidates(candidates)
            break
    return conditions


async def _read_from_nearer_end(
    conditions: "_Conditions", size: int, offset: int, total: int, *, with_lines: bool
) -> list[Order]:
    if offset >= total > 0:
        return []
    start = StoreAnchors().find_start(offset, size, total)
    # The last page may be shorter than the others.
    size = min(size, total - offset) if start.is_ascending else size
    return await _read(conditions, start, size, with_lines=with_lines)


async def _read_from_anchor(
    conditions: "_Conditions", scope: OrderScope, size: int, offset: int, total: int, *, with_lines: bool
) -> list[Order]:
    if offset >= total > 0:
        return []
    anchors = _anchors.get(scope.owner_id, scope.store_id)
    start = anchors.find_start(offset, size, total)
    if start.is_ascending:
        # The last page may be shorter than the others.
        size = min(size, total - offset)
    orders = await _read(conditions, start, size, with_lines=with_lines)
    # An order that was placed between the two statements shifts what was counted from the newest order.
    if orders and is_anchor_due(start, orders[0].created_at, clock.now()) and await _count_by_tally(scope) == total:
        anchors.add(total - offset, orders[0].id)
    return orders


async def _count_by_tally(scope: OrderScope, status: Status | None = None) -> int:
    return await sql.fetch_value(COUNT_BY_TALLY[status], scope.store_id, scope.owner_id) or 0


async def _read(conditions: "_Conditions", start: PageStart, size: int, *, with_lines: bool) -> list[Order]:
    return (await _read_with_tally(conditions, start, size, tally=None, with_lines=with_lines))[0]


@read_from_replica
async def _read_with_tally(
    conditions: "_Conditions", start: PageStart, size: int, *, tally: str | None, with_lines: bool
) -> tuple[list[Order], int | None]:
    """Return orders, and what the statement ``tally`` counts; None without one or without orders."""
    columns = f"{ORDER_COLUMNS}, {ORDER_LINES}" if with_lines else ORDER_COLUMNS
    if tally is not None:
        columns = f"{columns}, ({tally}) AS tally"
    statement, values = conditions.to_statement(columns, start, size)
    rows = await sql.fetch(statement, *values)
    orders = [to_order(row) if with_lines else to_listed_order(row) for row in rows]
    return orders, rows[0]["tally"] if rows and tally is not None else None


class _Conditions:
    """The conditions of a list in SQL. Only those that are requested are there, so that each list uses its index."""

    def __init__(self, scope: OrderScope, filters: OrderFilter) -> None:
        self.values: list[object] = [scope.store_id, scope.owner_id]
        self._found = ["o.store_id = $1", "o.owner_id = $2"]
        # As a sum, so that the few orders with an amount due are found by status instead of among all by id.
        self._sort_key = "o.id + 0" if filters.is_due else "o.id"
        self._add_scope(scope)
        for condition, value in (
            ("o.type = {}", filters.type),
            ("o.table_number = {}", filters.table_number),
            ("o.delivery_status = {}", filters.delivery_status),
            ("o.created_at >= {}", filters.since),
            ("o.created_at < {}", filters.before),
            ("o.source = {}", filters.source),
            ("o.payment_status = {}", filters.payment_status),
            ("o.business_date >= {}", filters.first_day),
            ("o.business_date <= {}", filters.last_day),
            ("o.total_minor >= {}", filters.total.min_minor),
            ("o.total_minor <= {}", filters.total.max_minor),
        ):
            if value is not None:
                self._add(condition, value)
        # As literals, by which PostgreSQL knows the index of finished orders that are not paid.
        if filters.status is not None:
            self._found.append(f"o.status = '{filters.status}'")
        if filters.is_paid is not None:
            self._found.append(IS_PAID if filters.is_paid else f"NOT {IS_PAID}")
        if filters.is_due:
            self._found.append(IS_DUE)
        if filters.is_delivery:
            self._found.append("o.delivery_status IS NOT NULL")
        if filters.is_active_delivery:
            self._found.append(IS_ACTIVE_DELIVERY)
        for text in filters.texts:
            self._add_text(text)

    @property
    def where(self) -> str:
        """All conditions, on the order ``o``."""
        return " AND ".join(self._found)

    async def count(self) -> int:
        """Count the orders."""
        return int(await sql.fetch_value(f"SELECT count(*) FROM core_order o WHERE {self.where}", *self.values))

    def to_statement(self, columns: str, start: PageStart, size: int) -> tuple[str, list[object]]:
        """Return the statement that selects a page, and its parameters."""
        direction = "ASC" if start.is_ascending else "DESC"
        values = [*self.values, size, start.skipped]
        limit, skipped = len(values) - 1, len(values)
        where = self.where
        if start.id is not None:
            values.append(start.id)
            where = f"{where} AND o.id <= ${len(values)}"
        window = f"ORDER BY {self._sort_key} {direction} LIMIT ${limit} OFFSET ${skipped}"
        if not start.skipped and not start.is_ascending:
            return f"SELECT {columns} FROM core_order o WHERE {where} {window}", values
        # Orders that are skipped are read from an index alone.
        chosen = f"o.owner_id = $2 AND o.id = ANY(ARRAY(SELECT o.id FROM core_order o WHERE {where} {window}))"
        return f"SELECT {columns} FROM core_order o WHERE {chosen} ORDER BY o.id DESC", values

    def add_candidates(self, ids: list[int]) -> None:
        """Restrict the list to orders with these ids."""
        self._add("o.id = ANY({}::bigint[])", ids)

    def _add(self, condition: str, value: object) -> None:
        self.values.append(value)
        self._found.append(condition.format(f"${len(self.values)}"))

    def _add_scope(self, scope: OrderScope) -> None:
        if scope.customer_id is not None:
            self._add("o.customer_id = {}", scope.customer_id)
        if (link := scope.link) is not None:
            self._add(
                f"EXISTS (SELECT FROM {link.table} link WHERE link.order_id = o.id AND link.owner_id = o.owner_id "
                f"AND link.{link.column} = {{}} AND {link.condition})",
                link.id,
            )

    def _add_text(self, text: SearchText) -> None:
        self.values.append(f"%{escape_like(text.name)}%")
        found = [f"{FOLDED_NAME} LIKE ${len(self.values)}"]
        if text.number is not None:
            self.values.append(text.number)
            # The number is an int, the parameter may be larger.
            found.append(f"o.number = ${len(self.values)}::bigint OR o.id = ${len(self.values)}::bigint")
        if text.digits is not None:
            self.values.append(f"%{text.digits}%")
            found.append(f"{PHONE} LIKE ${len(self.values)}::text")
        self._found.append(f"({' OR '.join(found)})")
