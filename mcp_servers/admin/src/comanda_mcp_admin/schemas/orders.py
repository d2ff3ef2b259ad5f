"""Orders, as agents look for them and see them."""

from datetime import date
from typing import Annotated

from comanda.http.paging import Page
from comanda.http.wire import ShortText, Text
from comanda.mcp.choosing import RestaurantArguments
from comanda.orders.schemas import OrderSummary
from comanda.orders.states import Status
from comanda.stores.hours_schemas import LocalDate
from pydantic import Field

from comanda_mcp_admin.schemas.arguments import OrderId, PageNumber


class ListOrders(RestaurantArguments):
    """Which orders to list."""

    status: Status | None = Field(None, description="Only orders that the kitchen has in this state.")
    from_: LocalDate | None = Field(
        None, alias="from", description="The first day, YYYY-MM-DD in the store's time zone, that day included."
    )
    to: LocalDate | None = Field(
        None,
        description="The last day, YYYY-MM-DD in the store's time zone, that day included; today if left out. At most "
        "366 days from the first.",
    )
    search: Annotated[ShortText, Field(max_length=100)] | None = Field(
        None,
        description="Part of the customer's name or of a phone number (4 digits or more), or an order's number or id. "
        "Without days it looks at the last 366.",
    )
    page: PageNumber = 1


class OrderPage(Page[OrderSummary]):
    """Orders, newest first, 30 per page, and the days that were looked at; null without such a limit."""

    from_: date | None = Field(alias="from")
    to: date | None


class GetOrder(RestaurantArguments):
    """Which order to read."""

    order_id: OrderId


class UpdateOrderStatus(RestaurantArguments):
    """The state to put an order in."""

    order_id: OrderId
    status: Status = Field(description="The kitchen's state; any may follow any other. cancelled gives stock back.")
    note: Annotated[Text, Field(max_length=1000)] | None = Field(
        None, description="Why, for the order's history; guests do not see it."
    )
