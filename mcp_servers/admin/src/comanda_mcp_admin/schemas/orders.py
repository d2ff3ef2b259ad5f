"""Arguments and results of the order tools."""

from datetime import date
from typing import Annotated

from comanda.contracts import Amount, Page, ShortText, Status, Text
from comanda.orders import OrderSummary
from comanda.platform.mcp import RestaurantArguments
from comanda.stores import LocalDate
from pydantic import Field

from comanda_mcp_admin.schemas.arguments import OrderId, PageNumber


class ListOrders(RestaurantArguments):
    """Filters of orders."""

    status: Status | None = Field(None, description="Only orders with this status.")
    from_: LocalDate | None = Field(
        None, alias="from", description="The first day (inclusive), YYYY-MM-DD in the store's time zone."
    )
    to: LocalDate | None = Field(
        None,
        description="The last day (inclusive), YYYY-MM-DD in the store's time zone; today if omitted. At most "
        "366 days from the first.",
    )
    search: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None,
        description="Part of the customer's name or of a phone number (4 digits or more), or an order's number or id. "
        "Without days, the last 366 days are searched.",
    )
    customer: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None, description="Part of the customer's name or phone number alone; limits the days as search does."
    )
    type: Annotated[str, Field(max_length=30)] | None = Field(
        None, description="Only orders of this type, such as delivery."
    )
    min_total: Amount | None = Field(None, description="The lowest total, in the store's currency.")
    max_total: Amount | None = Field(None, description="The highest total, in the store's currency.")
    page: PageNumber = 1


class OrderPage(Page[OrderSummary]):
    """Orders, newest first, 30 per page, and the days that were searched; null if there was no limit."""

    from_: date | None = Field(alias="from")
    to: date | None


class GetOrder(RestaurantArguments):
    """The order to return."""

    order_id: OrderId


class UpdateOrderStatus(RestaurantArguments):
    """The status to set."""

    order_id: OrderId
    status: Status = Field(description="The new status; any status may follow any other. cancelled returns stock.")
    note: Annotated[Text, Field(max_length=1000)] | None = Field(
        None, description="A reason for the order's history; guests do not see it."
    )
