"""Hook implementations of orders."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.events import Event
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope, create_scopes
from comanda.orders import erasure
from comanda.orders.events import (
    OrderAmended,
    OrderChargeAdded,
    OrderCreated,
    OrderPaid,
    OrderPaymentChanged,
    OrderStatusChanged,
)
from comanda.orders.intake.node_insertion import INSERT_ORDERS_ON_NODE
from comanda.orders.lists import search_index
from comanda.orders.routes import amendments, owner, public
from comanda.platform.db.statistics import ANALYZE_TASK, analyze_grown_tables


@hookimpl
def register_models() -> Sequence[ModelSet]:
    statements = (INSERT_ORDERS_ON_NODE,)
    return [ModelSet("core", ("comanda.orders.models",), "comanda_migrations.core", node_statements=statements)]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return [*create_scopes("orders", "orders"), *create_scopes("customers", "customers")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [owner.routes, amendments.routes, public.routes]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task("index_orders", search_index.add_settled_orders, every=timedelta(minutes=1)),
        Task(ANALYZE_TASK, analyze_grown_tables, every=timedelta(minutes=1)),
    ]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [OrderCreated, OrderAmended, OrderStatusChanged, OrderChargeAdded, OrderPaid, OrderPaymentChanged]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Keep an owner from being erased while orders are open."""
    return [erasure.ERASER]
