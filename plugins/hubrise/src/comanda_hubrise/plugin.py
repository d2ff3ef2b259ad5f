"""HubRise: orders of delivery platforms come in, and their statuses, the menu and what is sold out go out."""

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

from comanda_hubrise import tasks
from comanda_hubrise.event_handlers import EVENT_HANDLERS
from comanda_hubrise.pages.dashboard import NAVIGATION, dashboard
from comanda_hubrise.participant import PARTICIPANT
from comanda_hubrise.payment_methods import HUBRISE
from comanda_hubrise.routes.callbacks import routes as callback_routes
from comanda_hubrise.routes.connections import routes as connection_routes
from comanda_hubrise.services import connection_worker, order_worker
from comanda_hubrise.services.connection_rows import CREDENTIALS_COLUMN
from comanda_hubrise.settings import HubRiseSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the address of HubRise and the secret of the operator's client."""
    return HubRiseSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register connections, with their encrypted credentials, and the orders that came from there."""
    return [ModelSet("hubrise", ("comanda_hubrise.models",), "comanda_migrations.hubrise", (CREDENTIALS_COLUMN,))]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of connections for owners, and those that HubRise calls."""
    return [connection_routes, callback_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Register the part of HubRise in placing its orders."""
    return [PARTICIPANT]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    """Register what channels of HubRise have collected."""
    return [HUBRISE]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handlers that wake what HubRise has to know of."""
    return EVENT_HANDLERS


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    """Register the queues of orders and connections, and the deletion of old orders' rows."""
    return [
        order_worker.QUEUE,
        connection_worker.QUEUE,
        Task("hubrise_prune", tasks.prune_orders, every=timedelta(hours=6)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the page of the connection in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register HubRise in the navigation of the dashboard."""
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on HubRise."""
    summary = "Orders of delivery platforms: connecting a store, statuses, sold-out items and the menu."
    return [Chapter("hubrise", "HubRise", summary, "comanda_hubrise", "docs/hubrise.md")]
