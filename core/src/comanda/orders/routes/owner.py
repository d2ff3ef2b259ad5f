"""Routes of orders for owners."""

from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.status import PaymentStatus
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Answer, Call, Unvalidated
from comanda.contracts.requests.fields import Amount, Body, Id, ShortText
from comanda.contracts.requests.idempotency import key_header
from comanda.contracts.requests.paging import Page, PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.orders import history, queries
from comanda.orders.drafts import quotes
from comanda.orders.history import StatusChange
from comanda.orders.idempotency import parse_keys
from comanda.orders.intake import placement
from comanda.orders.intake.placement import OWNER_CHANNEL, PlaceOrder
from comanda.orders.lists import exports, order_counts
from comanda.orders.lists.exports import ExportFormat
from comanda.orders.lists.order_counts import OrderCounts
from comanda.orders.lists.search import (
    AmountRange,
    OrderFilter,
    OrderScope,
    get_amount_range,
    get_store_scope,
    parse_status,
    search_orders,
    to_calendar_days,
)
from comanda.orders.order_json import to_order_json, to_order_page_json, to_quote_json
from comanda.orders.schemas import OrderOut, OrderSummary, QuoteOut, StatusBody
from comanda.orders.status import set_status
from comanda.stores.business_days import DayKind

routes = Routes("Orders")

# Each may read all orders of a store.
MAX_EXPORTS_PER_MINUTE: Final = 10
EXPORT_TYPES: Final = {ExportFormat.CSV: "text/csv", ExportFormat.JSONL: "application/x-ndjson"}


class OrderQuery(Body):
    """Filters of the list; all of them must match."""

    status: Annotated[str | None, Field(description="A kitchen status.")] = None
    type: Annotated[str | None, Field(max_length=30, description="A type of order, such as `delivery`.")] = None
    source: Annotated[str | None, Field(max_length=50, description="Where orders came from, such as `api`.")] = None
    payment_status: PaymentStatus | None = None
    customer_id: Annotated[Id | None, Field(description="The customer whose account placed orders.")] = None
    is_paid: Annotated[bool | None, Field(description="Whether the whole amount due is paid.")] = None
    from_: Annotated[date | None, Field(alias="from", description="The first day (inclusive).")] = None
    to: Annotated[date | None, Field(description="The last day (inclusive).")] = None
    day: Annotated[DayKind, Field(description="Which days `from` and `to` are.")] = DayKind.BUSINESS
    search: Annotated[
        ShortText | None, Field(max_length=100, description="Part of a name or phone, or an order's number or id.")
    ] = None
    customer: Annotated[ShortText | None, Field(max_length=100, description="Part of a name or phone.")] = None
    min_total: Annotated[Amount | None, Field(description="The lowest total, in the store's currency.")] = None
    max_total: Annotated[Amount | None, Field(description="The highest total, in the store's currency.")] = None

    def to_filter(self, total: AmountRange) -> OrderFilter:
        """Return the filter of the search. Raises ``ValidationFailed`` for an unknown status."""
        return OrderFilter(
            status=parse_status(self.status),
            type=self.type,
            source=self.source,
            payment_status=self.payment_status,
            is_paid=self.is_paid,
            first_day=self.from_,
            last_day=self.to,
            text=self.search or None,
            customer=self.customer or None,
            total=total,
        )


class OrderListQuery(OrderQuery):
    """Filters and the order of the list."""

    sort: Literal["newest", "oldest"] = "newest"


class OrderExportQuery(OrderQuery):
    """Filters and the format of the file."""

    format: Annotated[ExportFormat, Field(description="`csv`, or `jsonl` for an order per line as JSON.")] = (
        ExportFormat.CSV
    )


class CountsQuery(Body):
    """Which store's orders are counted; without it, those of each store."""

    restaurant_id: Id | None = None


@routes.get("/order-counts", scope="orders:read", is_delegable=True)
async def list_counts(caller: Caller, query: CountsQuery, page: PageRequest) -> RecordPage[OrderCounts]:
    """List how many orders of each status your stores have, and how many came on the last business date."""
    return await order_counts.list_counts(caller, query.restaurant_id, page)


@routes.get("/restaurants/{id}/orders", scope="orders:read", answers=Page[OrderSummary])
async def list_orders(caller: Caller, id: int, page: PageRequest, query: OrderListQuery) -> dict[str, Any]:
    """List a store's orders, newest first, 30 per page, by status, type, payment, customer, days, total or a text."""
    scope, filters = await _to_search(caller, id, query)
    return to_order_page_json(await search_orders(scope, filters, page, is_oldest_first=query.sort == "oldest"))


@routes.get(
    "/restaurants/{id}/orders/export", scope="orders:read", answers=bytes, content_types=tuple(EXPORT_TYPES.values())
)
async def export_orders(caller: Caller, call: Call, id: int, query: OrderExportQuery) -> Answer:
    """Export all orders that the filters of the list find, newest first, as CSV or JSON lines.

    The file has no limit and is sent as it is read; a connection that ends without the end of the last chunk has cut
    it off. JSON lines are those of the list. In CSV, texts that spreadsheets would run as formulas begin with an
    apostrophe.
    """
    scope, filters = await _to_search(caller, id, query)
    await call.count(f"order_export:{id}", MAX_EXPORTS_PER_MINUTE)
    return Answer(
        await exports.export_orders(scope, filters, query.format),
        headers={"Content-Disposition": f'attachment; filename="orders.{query.format}"'},
        content_type=f"{EXPORT_TYPES[query.format]}; charset=utf-8",
    )


@routes.post("/restaurants/{id}/orders/quote", scope="orders:write", status=200, answers=QuoteOut, is_read_only=True)
async def quote_order(caller: Caller, id: int, body: OrderBody) -> dict[str, Any]:
    """Quote an order; nothing is written. An order that cannot be placed gets 422."""
    return to_quote_json(await quotes.quote_order(caller, OWNER_CHANNEL, id, body))


@routes.get("/restaurants/{id}/orders/{orderId}", scope="orders:read", answers=OrderOut)
async def get_order(caller: Caller, id: int, order_id: int) -> dict[str, Any]:
    """Return an order with its lines, extras, totals, driver and timeline."""
    return to_order_json(await queries.find_order(caller, id, order_id))


@routes.get("/restaurants/{id}/orders/{orderId}/history", scope="orders:read")
async def list_changes(caller: Caller, id: int, order_id: int, page: PageRequest) -> RecordPage[StatusChange]:
    """List the changes of an order's statuses, newest first, with their authors and notes."""
    return await history.list_changes(caller, id, order_id, page)


@routes.post("/restaurants/{id}/orders", scope="orders:write", answers=OrderOut, headers=(key_header("order"),))
async def place_order(caller: Caller, call: Call, id: int, body: Unvalidated[OrderBody]) -> Answer:
    """Place an order. A used ``Idempotency-Key`` or ``client_uuid`` returns the order that it has placed."""
    command = PlaceOrder(OWNER_CHANNEL, id, body, parse_keys(call.headers, body))
    placed = await placement.place_order(caller, command)
    return placed.answer(to_order_json)


@routes.put("/restaurants/{id}/orders/{orderId}/status", scope="orders:write", answers=OrderOut)
async def change_status(caller: Caller, id: int, order_id: int, body: StatusBody) -> dict[str, Any]:
    """Set the kitchen status; any status may follow any other, and setting the same one changes nothing."""
    return to_order_json(await set_status(caller, id, order_id, body.status, body.note))


async def _to_search(caller: Caller, store_id: int, query: OrderQuery) -> tuple[OrderScope, OrderFilter]:
    scope = replace(await get_store_scope(caller, store_id), customer_id=query.customer_id)
    filters = query.to_filter(await get_amount_range(caller, store_id, query.min_total, query.max_total))
    if query.day is DayKind.CALENDAR:
        filters = await to_calendar_days(caller, store_id, filters)
    return scope, filters
