"""Customers, who log in and order, and the guests that a store's orders tell of."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.callers import CallerKind
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.mcp import Tool
from comanda.contracts.messaging import MessageTemplate
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.references import Reference
from comanda.contracts.routes import Routes
from comanda.orders.events import OrderCreated, OrderStatusChanged

from comanda_customers.demo import fill
from comanda_customers.events import CustomerCreated, CustomerErased
from comanda_customers.feed import follow
from comanda_customers.messages import CODE
from comanda_customers.routes.customers import routes as customer_routes
from comanda_customers.routes.entering import routes as entering_routes
from comanda_customers.routes.guests import routes as guest_routes
from comanda_customers.routes.me import routes as own_routes
from comanda_customers.routes.orders import routes as order_routes
from comanda_customers.services import contacts
from comanda_customers.tokens import CUSTOMER
from comanda_customers.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring customers with their addresses, and guests with their orders and visits."""
    return [ModelSet("customers", ("comanda_customers.models",), "comanda_migrations.customers")]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the token of a customer's device."""
    return [CUSTOMER]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer customers, and owners about customers, guests and segments."""
    return [entering_routes, own_routes, order_routes, customer_routes, guest_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce customers who come, and those who are erased."""
    return [CustomerCreated, CustomerErased]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Keep guests in step with orders."""
    return [EventHandler("customers_guests", follow, (OrderCreated, OrderStatusChanged))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    """Word the codes that customers are sent."""
    return [CODE]


@hookimpl
def register_references() -> Sequence[Reference]:
    """Say which customers a store has, for what is booked or written down for one."""
    return [Reference("customer", contacts.existing)]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let agents of customers see a profile and order again, and agents of owners see customers."""
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain customers to owners, and to whoever writes an app for them."""
    return [
        Chapter(
            name="customers",
            title="Customers",
            summary="Registering, logging in by password or code, profiles, addresses, orders, export and erasure.",
            package="comanda_customers",
            path="docs/customers.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Log a customer in at the demo restaurant."""
    return [DemoData("customers", fill, needs_stores=True)]
