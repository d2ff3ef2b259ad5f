"""Hook implementations of menus."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.background.events import Event
from comanda.contracts.background.queues import LeasedQueue
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.entitlements import EntitlementProvider, Feature
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope, create_scopes
from comanda.menu.events import MenuUpdated
from comanda.menu.imports import background
from comanda.menu.quota import ITEMS
from comanda.menu.routes import background_imports, bulk, imports, owner, photos, price_lists, public, variants


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.menu.models",), "comanda_migrations.core")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("menu", "menus, items and variants")


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [ITEMS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [
        owner.routes,
        bulk.routes,
        variants.routes,
        price_lists.routes,
        photos.routes,
        imports.routes,
        background_imports.routes,
        public.routes,
    ]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [background.QUEUE]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [MenuUpdated]
