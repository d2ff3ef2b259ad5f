"""MCP tools about customers, for customers and for owners."""

from comanda.contracts import Page, PageRequest, RecordPage, Tool, ToolCall
from comanda.platform.mcp import select_store

from comanda_customers.entitlements import CRM_SUITE
from comanda_customers.records.customers import Contact, DetailedContact, Profile
from comanda_customers.records.reorders import ReorderDraft
from comanda_customers.schemas.tools import GetCustomer, ListCustomers, MyProfile, Reorder
from comanda_customers.scopes import ORDERS, PROFILE
from comanda_customers.services import profiles
from comanda_customers.services.guest_list import contacts
from comanda_customers.services.ordering import reorders


async def my_profile(call: ToolCall, arguments: MyProfile) -> Profile:
    """Return the customer's own profile."""
    return await profiles.get_profile(call.known_caller)


async def reorder(call: ToolCall, arguments: Reorder) -> ReorderDraft:
    """Return a draft of one of the customer's past orders. Raises ``NotFound`` for any other order."""
    return await reorders.create_draft(call.known_caller, arguments.order_id)


async def list_customers(call: ToolCall, arguments: ListCustomers) -> RecordPage[Contact]:
    """List the customers of one of the owner's stores."""
    store_id = await select_store(call, arguments)
    page = PageRequest(arguments.page, None)
    return await contacts.list_contacts(call.known_caller, store_id, arguments.search, page)


async def get_customer(call: ToolCall, arguments: GetCustomer) -> DetailedContact:
    """Return a customer of one of the owner's stores. Raises ``NotFound``."""
    store_id = await select_store(call, arguments)
    return await contacts.get_contact(call.known_caller, store_id, arguments.customer_id)


TOOLS = (
    Tool(
        name="my_profile",
        title="My profile",
        description="Shows your profile in this store: name, e-mail, phone, birthday, consents, number of orders.",
        servers=("customer",),
        arguments=MyProfile,
        result=Profile,
        handler=my_profile,
        scope=PROFILE,
        is_read_only=True,
    ),
    Tool(
        name="reorder",
        title="Order again",
        description=(
            "Rebuilds one of your past orders as a draft: the lines that are available now, at current prices. Lines "
            "that are sold out or no longer offered are left out and listed in messages. Nothing is ordered."
        ),
        servers=("customer",),
        arguments=Reorder,
        result=ReorderDraft,
        handler=reorder,
        scope=ORDERS,
        is_read_only=True,
    ),
    Tool(
        name="list_customers",
        title="List customers",
        description=(
            "Lists a store's customers with their number of orders and total spent, newest first, 30 per page; "
            "search matches a text in the name, e-mail or phone number."
        ),
        servers=("admin",),
        arguments=ListCustomers,
        result=Page[Contact],
        handler=list_customers,
        scope="customers:read",
        feature=CRM_SUITE.code,
        is_read_only=True,
    ),
    Tool(
        name="get_customer",
        title="Show a customer",
        description="Shows a customer: contact, consents, birthday, saved addresses, number of orders, total spent.",
        servers=("admin",),
        arguments=GetCustomer,
        result=DetailedContact,
        handler=get_customer,
        scope="customers:read",
        feature=CRM_SUITE.code,
        is_read_only=True,
    ),
)
