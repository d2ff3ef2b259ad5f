"""Arguments of the MCP tools."""

from typing import Annotated

from comanda.contracts import MAX_PAGE, Arguments, Count, Id, ShortText
from comanda.platform.mcp import RestaurantArguments
from pydantic import Field


class MyProfile(Arguments):
    """No arguments: the token identifies the customer."""


class Reorder(Arguments):
    """The past order to draft again."""

    order_id: Id = Field(description="The past order's id, from my_orders.")


class ListCustomers(RestaurantArguments):
    """Which customers to list."""

    search: Annotated[
        ShortText, Field(max_length=100, description="Part of a name, e-mail or phone number, in any case or form.")
    ] = ""
    page: Annotated[Count, Field(ge=1, le=MAX_PAGE, description="Which page, from 1 on; 30 customers each.")] = 1


class GetCustomer(RestaurantArguments):
    """The customer to return."""

    customer_id: Id = Field(description="The customer's id, from list_customers.")
