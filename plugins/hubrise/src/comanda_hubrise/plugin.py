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
    return HubRiseSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("hubrise", ("comanda_hubrise.models",), "comanda_migrations.hubrise", (CREDENTIALS_COLUMN,))]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [connection_routes, callback_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [PARTICIPANT]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [HUBRISE]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return EVENT_HANDLERS


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [
        order_worker.QUEUE,
        connection_worker.QUEUE,
        Task("hubrise_prune", tasks.prune_orders, every=timedelta(hours=6)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Orders of delivery platforms: connecting a store, statuses, sold-out items and the menu."
    return [Chapter("hubrise", "HubRise", summary, "comanda_hubrise", "docs/hubrise.md")]
