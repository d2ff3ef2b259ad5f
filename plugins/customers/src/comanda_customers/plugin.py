"""Customers with accounts, and guests derived from a store's orders."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    CallerKind,
    Chapter,
    DemoData,
    EntitlementProvider,
    Event,
    EventHandler,
    Feature,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Reference,
    Routes,
    Scope,
    Task,
    Tool,
    unaffected,
)
from comanda.orders import OrderCreated, OrderPaid, OrderStatusChanged

from comanda_customers import participant
from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.demo import create_demo_data
from comanda_customers.entitlements import CRM_SUITE
from comanda_customers.event_handlers import update_guests
from comanda_customers.events import CustomerCreated, CustomerErased
from comanda_customers.message_templates import VERIFICATION_CODE
from comanda_customers.pages import guests
from comanda_customers.pages.dashboard import NAVIGATION, dashboard
from comanda_customers.routes.customers import routes as customer_routes
from comanda_customers.routes.guests import routes as guest_routes
from comanda_customers.routes.login import routes as entering_routes
from comanda_customers.routes.me import routes as own_routes
from comanda_customers.routes.orders import routes as order_routes
from comanda_customers.routes.store_pages import routes as store_page_routes
from comanda_customers.scopes import CUSTOMER_SCOPES
from comanda_customers.services.guest_list import contacts
from comanda_customers.services.guest_list import counts as guest_counts
from comanda_customers.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("customers", ("comanda_customers.models",), "comanda_migrations.customers")]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("sum_up_guest_counts", guest_counts.sum_up_counts, every=timedelta(minutes=1))]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [CUSTOMER]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return CUSTOMER_SCOPES


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [CRM_SUITE]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [entering_routes, own_routes, order_routes, store_page_routes, customer_routes, guest_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            name=participant.PARTICIPANT_NAME,
            priority=10,
            concerns=participant.is_from_page,
            reserve=participant.lock_customer,
            amended=unaffected,
        )
    ]


# These modules register their pages when they are imported.
PAGES = (guests,)


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [CustomerCreated, CustomerErased]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [
        EventHandler(
            "customers_guests", update_guests, (OrderCreated, OrderStatusChanged, OrderPaid), ("refund.completed",)
        )
    ]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [VERIFICATION_CODE]


@hookimpl
def register_references() -> Sequence[Reference]:
    return [Reference("customer", contacts.list_existing_ids)]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="customers",
            title="Customers",
            summary="Registration, login by password or code, profiles, addresses, orders, export and erasure.",
            package="comanda_customers",
            path="docs/customers.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("customers", create_demo_data, needs_stores=True)]
