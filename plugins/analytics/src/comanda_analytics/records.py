"""Records of sales reports, as services return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import is_null
from pydantic import Field

from comanda_analytics.services.periods import ReportPeriod


@dataclass(frozen=True, slots=True)
class PlacedOrders:
    """Numbers of orders placed: in total, including cancelled ones; paid in full; by status and by type."""

    total: int
    paid: int
    by_status: Mapping[str, int]
    by_type: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Revenue:
    """Amounts in the store's currency.

    ``gross`` is the total of all orders that are not cancelled, ``paid`` the payments of all orders less refunds;
    ``avg_order_value`` is ``gross`` divided by the number of orders that are not cancelled, 0 without any.
    """

    gross: Money
    paid: Money
    avg_order_value: Money


@dataclass(frozen=True, slots=True)
class Charges:
    """The part of ``gross`` that is charges: service charges, delivery fees, and all others, late ones included.

    Amounts are those of the orders, so tax that is added to prices is not in them.
    """

    service_charge: Money
    delivery_fee: Money
    other: Money


@dataclass(frozen=True, slots=True)
class PeriodSales:
    """Totals of a range of days."""

    range: ReportPeriod
    orders: PlacedOrders
    revenue: Revenue
    charges: Charges


@dataclass(frozen=True, slots=True)
class TopItem:
    """An item and the quantity ordered."""

    item_id: int
    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class DaySales:
    """One day: orders placed, including cancelled ones; orders paid in full; amounts as in the report."""

    date: date
    orders: int
    paid_orders: int
    gross: Money
    paid: Money
    charges: Charges


@dataclass(frozen=True, slots=True)
class SalesReport(PeriodSales):
    """The sales of a range of days, by the day on which orders were placed.

    ``by_day`` and ``compare`` are included on request.
    """

    store_id: Annotated[int, Field(exclude=True)]
    currency: Annotated[str, Field(exclude=True)]
    top_items: Sequence[TopItem]
    by_day: Annotated[Sequence[DaySales] | None, Field(exclude_if=is_null)] = None
    compare: Annotated[PeriodSales | None, Field(exclude_if=is_null)] = None
