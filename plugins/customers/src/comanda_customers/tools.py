"""What agents can do: for a customer, with their own things; for an owner, with their customers."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall
from comanda.contracts.paging import PageRequest
from comanda.mcp.store_selection import select_store

from comanda_customers.schemas.accounts import CustomerOut
from comanda_customers.schemas.contacts import ContactDetail
from comanda_customers.schemas.tools import (
    CustomerPage,
    DraftOut,
    GetCustomer,
    ListCustomers,
    MyProfile,
    Reorder,
)
from comanda_customers.services import contacts, profiles, reordering


async def my_profile(call: ToolCall, arguments: MyProfile) -> dict[str, Any]:
    """Show the customer's own profile."""
    return await profiles.me(call.known_caller)


async def reorder(call: ToolCall, arguments: Reorder) -> dict[str, Any]:
    """Rebuild one of the customer's orders. Raises ``NotFound`` for anybody else's."""
    return await reordering.reorder(call.known_caller, arguments.order_id)


async def list_customers(call: ToolCall, arguments: ListCustomers) -> dict[str, Any]:
    """List the customers of one of the owner's stores."""
    store_id = await select_store(call, arguments)
    page = PageRequest(arguments.page, None)
    return await contacts.page_of_customers(call.known_caller, store_id, arguments.search, page)


async def get_customer(call: ToolCall, arguments: GetCustomer) -> dict[str, Any]:
    """Show a customer of one of the owner's stores. Raises ``NotFound``."""
    store_id = await select_store(call, arguments)
    return await contacts.customer(call.known_caller, store_id, arguments.customer_id)


TOOLS = (
    Tool(
        name="my_profile",
        title="My profile",
        description="Shows your profile in this store: name, e-mail, phone, birthday, consents, number of orders.",
        servers=("customer",),
        arguments=MyProfile,
        result=CustomerOut,
        handler=my_profile,
        is_read_only=True,
    ),
    Tool(
        name="reorder",
        title="Order again",
        description=(
            "Rebuilds one of your past orders as a draft: the lines that can be had now, at today's prices. What is "
            "sold out or gone is left out and told in messages. Nothing is ordered."
        ),
        servers=("customer",),
        arguments=Reorder,
        result=DraftOut,
        handler=reorder,
        is_read_only=True,
    ),
    Tool(
        name="list_customers",
        title="List customers",
        description=(
            "Lists a store's customers with their number of orders and what they spent, newest first, 30 per page; "
            "search narrows them to those with a text in their name, e-mail or phone number."
        ),
        servers=("admin",),
        arguments=ListCustomers,
        result=CustomerPage,
        handler=list_customers,
        scope="customers:read",
        is_read_only=True,
    ),
    Tool(
        name="get_customer",
        title="Show a customer",
        description="Shows a customer: contact, consents, birthday, saved addresses, orders and what they spent.",
        servers=("admin",),
        arguments=GetCustomer,
        result=ContactDetail,
        handler=get_customer,
        scope="customers:read",
        is_read_only=True,
    ),
)
