"""What is asked of analytics, and what is answered."""

from datetime import date
from typing import Annotated

from comanda.contracts.fields import Body
from comanda.mcp.store_selection import RestaurantArguments
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field

FIRST = "The first day, YYYY-MM-DD in the store's time zone, that day included; 29 days before the last if left out."
LAST = "The last day, YYYY-MM-DD in the store's time zone, that day included; today if left out."


class ReportQuery(Body):
    """Which days to report on, at most 366, and what to add to the report."""

    from_: Annotated[LocalDate | None, Field(alias="from", description=FIRST)] = None
    to: Annotated[LocalDate | None, Field(description=LAST)] = None
    by_day: Annotated[bool, Field(description="Add the sales of each day.")] = False
    compare: Annotated[bool, Field(description="Add the sums of as many days right before these.")] = False


class SalesReport(RestaurantArguments):
    """Which days to report on, at most 366."""

    from_: LocalDate | None = Field(None, alias="from", description=FIRST)
    to: LocalDate | None = Field(None, description=LAST)


class RangeOut(BaseModel):
    """Days of the store's calendar, both included."""

    from_: date = Field(alias="from")
    to: date


class OrdersOut(BaseModel):
    """How many orders were placed: in all, cancelled ones too; paid in full; and of each status and type."""

    total: int
    paid: int
    by_status: dict[str, int]
    by_type: dict[str, int]


class RevenueOut(BaseModel):
    """Amounts in the store's currency.

    ``gross`` adds up the totals of all orders but the cancelled, ``paid`` what was paid of any order less what was
    refunded; ``avg_order_value`` is ``gross`` for each order that it adds up, 0 without any.
    """

    gross: float
    paid: float
    avg_order_value: float


class TopItem(BaseModel):
    """An item and how many of it were ordered."""

    item_id: int
    name: str
    quantity: int


class DayOut(BaseModel):
    """One day: all orders placed, with the cancelled, those paid in full, and amounts as in ``revenue``."""

    date: date
    orders: int
    paid_orders: int
    gross: float
    paid: float


class SumsOut(BaseModel):
    """Sums of a range of days."""

    range: RangeOut
    orders: OrdersOut
    revenue: RevenueOut


class ReportOut(SumsOut):
    """What was ordered in a range of days, by the day on which orders were placed.

    ``by_day`` and ``compare`` stand there when they are asked for.
    """

    top_items: list[TopItem]
    by_day: list[DayOut] | None = None
    compare: SumsOut | None = None


class SalesReportOut(BaseModel):
    """A store's sales, for agents."""

    restaurant_id: int
    currency: str
    range: RangeOut
    orders: OrdersOut
    revenue: RevenueOut
    top_items: list[TopItem]
