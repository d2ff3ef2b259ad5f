"""Hook implementations of stores."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.background.events import Event
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.entitlements import EntitlementProvider, Feature
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope, create_scopes
from comanda.stores.events import IntakeChanged
from comanda.stores.quota import STORES
from comanda.stores.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.stores.models",), "comanda_migrations.core")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("restaurants", "stores and their settings")


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [STORES]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [IntakeChanged]
