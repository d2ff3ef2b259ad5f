"""Arguments and results of the analytics tool."""

from comanda.contracts.wire import StoreId
from comanda.mcp.store_selection import RestaurantArguments
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field

from comanda_analytics.schemas.reports import (
    FROM_DESCRIPTION,
    TO_DESCRIPTION,
    ChargesOut,
    OrdersOut,
    RangeOut,
    RevenueOut,
    TopItem,
)


class SalesReportArguments(RestaurantArguments):
    """The days of a report, at most 366."""

    from_: LocalDate | None = Field(None, alias="from", description=FROM_DESCRIPTION)
    to: LocalDate | None = Field(None, description=TO_DESCRIPTION)


class SalesReportOut(BaseModel):
    """The sales of a store."""

    restaurant_id: StoreId
    currency: str
    range: RangeOut
    orders: OrdersOut
    revenue: RevenueOut
    charges: ChargesOut
    top_items: list[TopItem]
