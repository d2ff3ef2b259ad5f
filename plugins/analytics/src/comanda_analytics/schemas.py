"""The query of the report, and the arguments and result of the tool."""

from typing import Annotated

from comanda.contracts import Body, StoreId
from comanda.platform.mcp import RestaurantArguments
from comanda.stores import LocalDate
from pydantic import BaseModel, Field

from comanda_analytics.records import Charges, PlacedOrders, Revenue, TopItem
from comanda_analytics.services.periods import ReportPeriod

FROM_DESCRIPTION = "The first day (inclusive), YYYY-MM-DD in the store's time zone; by default 29 days before the last."
TO_DESCRIPTION = "The last day (inclusive), YYYY-MM-DD in the store's time zone; by default today."


class ReportQuery(Body):
    """The days of a report, at most 366, and its optional parts."""

    from_: Annotated[LocalDate | None, Field(alias="from", description=FROM_DESCRIPTION)] = None
    to: Annotated[LocalDate | None, Field(description=TO_DESCRIPTION)] = None
    by_day: Annotated[bool, Field(description="Include the sales of each day.")] = False
    compare: Annotated[bool, Field(description="Include the totals of the preceding period of equal length.")] = False


class SalesReportArguments(RestaurantArguments):
    """The days of a report, at most 366."""

    from_: LocalDate | None = Field(None, alias="from", description=FROM_DESCRIPTION)
    to: LocalDate | None = Field(None, description=TO_DESCRIPTION)


class SalesReportOut(BaseModel):
    """The sales of a store."""

    restaurant_id: StoreId
    currency: str
    range: ReportPeriod
    orders: PlacedOrders
    revenue: Revenue
    charges: Charges
    top_items: list[TopItem]
