"""Customers, and the guests that a store's orders tell of."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.accounts.kinds import CallerKind
from comanda.db.modelset import ModelSet
from comanda.demo import DemoData
from comanda.events.types import EventHandler
from comanda.http.routes import Routes
from comanda.orders.events import OrderCreated, OrderStatusChanged

from comanda_customers.demo import fill
from comanda_customers.feed import follow
from comanda_customers.routes.guests import routes as guest_routes
from comanda_customers.tokens import CUSTOMER


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring customers, and guests with their orders and visits."""
    return [ModelSet("customers", ("comanda_customers.models",), "comanda_migrations.customers")]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the token of a customer's device."""
    return [CUSTOMER]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for guests and segments."""
    return [guest_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Keep guests in step with orders."""
    return [EventHandler("customers_guests", follow, (OrderCreated, OrderStatusChanged))]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Log a customer in at the demo restaurant."""
    return [DemoData("customers", fill, needs_stores=True)]
