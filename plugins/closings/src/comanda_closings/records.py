"""Records of day reports and closings, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber, StoreId
from comanda.stores import DayKind
from pydantic import Field


@dataclass(frozen=True, slots=True)
class Figures:
    """What was sold, paid and refunded, each on the day on which it was done.

    ``net_sales`` is ``gross_sales`` less ``voids``, ``cancelled`` orders, ``discounts`` and ``comps``; ``sales_total``
    adds the charges, the tax that prices do not include, and the tips on orders. ``collected`` is ``payments`` with
    their tips and cash rounding, ``tips`` those on orders and on payments. ``prepayments`` and what follows are in no
    other figure.
    """

    orders: int
    cancelled_orders: int
    voided_items: int
    refund_count: int
    gross_sales: Money
    voids: Money
    cancelled: Money
    discounts: Money
    comps: Money
    net_sales: Money
    service_charges: Money
    delivery_fees: Money
    other_charges: Money
    added_tax: Money
    order_tips: Money
    sales_total: Money
    payments: Money
    payment_tips: Money
    rounding: Money
    collected: Money
    refunds: Money
    tips: Money
    prepayments: Money
    prepaid_stays: Money
    kept_deposits: Money
    drawer_differences: Money


@dataclass(frozen=True, slots=True)
class TaxTotal:
    """What was sold at one tax rate, without tips, and what was refunded of it; rate 0 is what was not taxed."""

    rate: PercentNumber
    net: Money
    tax: Money
    gross: Money
    refunded_net: Money
    refunded_tax: Money
    refunded_gross: Money


@dataclass(frozen=True, slots=True)
class TenderTotal:
    """What was paid with one method, with tips and rounding, and what was refunded to it."""

    method: str
    payments: int
    collected: Money
    refunds: int
    refunded: Money


@dataclass(frozen=True, slots=True)
class SalesTotal:
    """The orders of one hour of the day, channel or type, and their net sales."""

    code: str
    orders: int
    net_sales: Money


@dataclass(frozen=True, slots=True)
class CategoryTotal:
    """What was sold of one category of the menu; null for items that are not in the menu any more."""

    category_id: int | None
    name: str | None
    quantity: int
    net_sales: Money


@dataclass(frozen=True, slots=True)
class StaffTotal:
    """The orders that somebody served, and their tips; null for orders that nobody of the staff served."""

    served_by: str | None
    name: str | None
    orders: int
    net_sales: Money
    tips: Money


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The figures of one day."""

    date: date
    figures: Figures


@dataclass(frozen=True, slots=True)
class Totals:
    """All totals of one day or several."""

    figures: Figures
    taxes: Sequence[TaxTotal]
    tenders: Sequence[TenderTotal]
    hours: Sequence[SalesTotal]
    categories: Sequence[CategoryTotal]
    channels: Sequence[SalesTotal]
    types: Sequence[SalesTotal]
    staff: Sequence[StaffTotal]


@dataclass(frozen=True, slots=True)
class DayReport(Totals):
    """The totals of a range of days of one store or several: its business days, or those of the calendar."""

    restaurant_ids: Sequence[int]
    currency: str
    day: DayKind
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    days: Sequence[DayFigures]


@dataclass(frozen=True, slots=True)
class OpenDays(Totals):
    """The X report: the totals of the business days that are not closed. ``number`` is that of the next closing."""

    store_id: StoreId
    number: int
    currency: str
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    open_checks: int
    open_drawers: Sequence[str]


@dataclass(frozen=True, slots=True)
class ClosingSummary:
    """A closing in a list."""

    id: int
    store_id: StoreId
    number: int
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    currency: str
    closed_by: str
    closed_at: datetime
    net_sales: Money
    collected: Money
    refunds: Money


@dataclass(frozen=True, slots=True)
class Closing(Totals):
    """The Z report: the totals of the business days from ``first`` to ``last``, as they were when they were closed."""

    id: int
    store_id: StoreId
    number: int
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    currency: str
    closed_by: str
    closed_at: datetime
