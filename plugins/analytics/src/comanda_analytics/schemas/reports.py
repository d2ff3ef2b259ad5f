"""Queries and reports of analytics."""

from datetime import date
from typing import Annotated

from comanda.contracts.fields import Body
from comanda.contracts.wire import MoneyNumber
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field

FROM_DESCRIPTION = "The first day (inclusive), YYYY-MM-DD in the store's time zone; by default 29 days before the last."
TO_DESCRIPTION = "The last day (inclusive), YYYY-MM-DD in the store's time zone; by default today."


class ReportQuery(Body):
    """The days of a report, at most 366, and its optional parts."""

    from_: Annotated[LocalDate | None, Field(alias="from", description=FROM_DESCRIPTION)] = None
    to: Annotated[LocalDate | None, Field(description=TO_DESCRIPTION)] = None
    by_day: Annotated[bool, Field(description="Include the sales of each day.")] = False
    compare: Annotated[bool, Field(description="Include the totals of the preceding period of equal length.")] = False


class RangeOut(BaseModel):
    """A range of days in the store's calendar, both inclusive."""

    from_: date = Field(validation_alias="first", serialization_alias="from")
    to: date = Field(validation_alias="last")


class OrdersOut(BaseModel):
    """Numbers of orders placed: in total, including cancelled ones; paid in full; by status and by type."""

    total: int
    paid: int
    by_status: dict[str, int]
    by_type: dict[str, int]


class RevenueOut(BaseModel):
    """Amounts in the store's currency.

    ``gross`` is the total of all orders that are not cancelled, ``paid`` the payments of all orders less refunds;
    ``avg_order_value`` is ``gross`` divided by the number of orders that are not cancelled, 0 without any.
    """

    gross: MoneyNumber
    paid: MoneyNumber
    avg_order_value: MoneyNumber


class ChargesOut(BaseModel):
    """The part of ``gross`` that is charges: service charges, delivery fees, and all others, late ones included.

    Amounts are those of the orders, so tax that is added to prices is not in them.
    """

    service_charge: MoneyNumber
    delivery_fee: MoneyNumber
    other: MoneyNumber


class TopItem(BaseModel):
    """An item and the quantity ordered."""

    item_id: int
    name: str
    quantity: int


class DayOut(BaseModel):
    """One day: orders placed, including cancelled ones; orders paid in full; amounts as in the report."""

    date: date
    orders: int
    paid_orders: int
    gross: MoneyNumber
    paid: MoneyNumber
    charges: ChargesOut


class SumsOut(BaseModel):
    """Totals of a range of days."""

    range: RangeOut
    orders: OrdersOut
    revenue: RevenueOut
    charges: ChargesOut


class ReportOut(SumsOut):
    """The sales of a range of days, by the day on which orders were placed.

    ``by_day`` and ``compare`` are included on request.
    """

    top_items: list[TopItem]
    by_day: list[DayOut] | None = Field(None, exclude_if=lambda value: value is None)
    compare: SumsOut | None = Field(None, exclude_if=lambda value: value is None)
