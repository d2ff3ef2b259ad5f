"""Hook implementations of stores."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.stores.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of stores."""
    return [ModelSet("core", ("comanda.stores.models",), "comanda_migrations.core")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of stores."""
    return [routes]
