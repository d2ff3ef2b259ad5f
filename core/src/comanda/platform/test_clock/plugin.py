"""Hook implementations of the test clock."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.requests.routes import Routes
from comanda.platform.test_clock.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the table of the test clock."""
    return [ModelSet("core", ("comanda.platform.test_clock.models",), "comanda_migrations.core")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes with which tests move the clock."""
    return [routes]
