"""Deliverect: orders of delivery platforms come in, and their statuses, the menu and what is sold out go out."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    EventHandler,
    LeasedQueue,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    PaymentMethod,
    PluginSettings,
    Routes,
    Task,
)

from comanda_deliverect import tasks
from comanda_deliverect.event_handlers import EVENT_HANDLERS
from comanda_deliverect.pages.dashboard import NAVIGATION, dashboard
from comanda_deliverect.participant import DELIVERECT, PARTICIPANT
from comanda_deliverect.routes.connections import routes as connection_routes
from comanda_deliverect.routes.webhooks import routes as webhook_routes
from comanda_deliverect.services import connection_worker, order_worker
from comanda_deliverect.services.connections import CREDENTIALS_COLUMN
from comanda_deliverect.settings import DeliverectSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return DeliverectSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [
        ModelSet("deliverect", ("comanda_deliverect.models",), "comanda_migrations.deliverect", (CREDENTIALS_COLUMN,))
    ]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [connection_routes, webhook_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [PARTICIPANT]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [DELIVERECT]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return EVENT_HANDLERS


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [
        order_worker.QUEUE,
        connection_worker.QUEUE,
        Task("deliverect_prune", tasks.prune_orders, every=timedelta(hours=6)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Orders of delivery platforms: connecting a store, orders, statuses, sold-out items, pauses and the menu."
    return [Chapter("deliverect", "Deliverect", summary, "comanda_deliverect", "docs/deliverect.md")]
