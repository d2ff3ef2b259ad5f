"""Arguments and results of the MCP tools."""

from typing import Annotated

from comanda.contracts.fields import Count, Id, ShortText
from comanda.contracts.mcp import Arguments
from comanda.contracts.paging import MAX_PAGE, Page
from comanda.contracts.wire import MoneyNumber
from comanda.mcp.store_selection import RestaurantArguments
from pydantic import BaseModel, Field

from comanda_customers.schemas.contacts import ContactOut


class MyProfile(Arguments):
    """No arguments: the token identifies the customer."""


class Reorder(Arguments):
    """The past order to draft again."""

    order_id: Id = Field(description="The past order's id, from my_orders.")


class DraftLineOut(BaseModel):
    """A line as it can be ordered now; item_id, quantity, variation, extras and note are as in an order's line."""

    item_id: int
    name: str
    quantity: int
    variation: int | None
    variation_name: str | None
    extras: list[int]
    extra_names: list[str]
    note: str | None
    unit_price: Annotated[MoneyNumber, Field(description="With extras, in currency.")]
    line_total: MoneyNumber


class MessageOut(BaseModel):
    """A message about the draft for the customer."""

    type: str
    code: str
    path: str
    text: str


class DraftOut(BaseModel):
    """The part of a past order that is available now, at current prices. Nothing has been ordered or reserved."""

    order_id: int
    type: str | None
    currency: str
    items: list[DraftLineOut]
    subtotal: MoneyNumber
    total: Annotated[MoneyNumber, Field(description="With taxes and charges, without delivery and tip.")]
    messages: list[MessageOut]


class ListCustomers(RestaurantArguments):
    """Which customers to list."""

    search: Annotated[
        ShortText, Field(max_length=100, description="Part of a name, e-mail or phone number, in any case or form.")
    ] = ""
    page: Annotated[Count, Field(ge=1, le=MAX_PAGE, description="Which page, from 1 on; 30 customers each.")] = 1


class GetCustomer(RestaurantArguments):
    """The customer to return."""

    customer_id: Id = Field(description="The customer's id, from list_customers.")


class CustomerPage(Page[ContactOut]):
    """One page of customers, newest first."""
