"""Hook implementations of menus."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.events import Event
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.menu.events import MenuUpdated
from comanda.menu.routes import imports, owner, photos, public, variants


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of menus."""
    return [ModelSet("core", ("comanda.menu.models",), "comanda_migrations.core")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of menus."""
    return [owner.routes, variants.routes, photos.routes, imports.routes, public.routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the events of menus."""
    return [MenuUpdated]
