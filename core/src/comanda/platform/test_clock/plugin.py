"""Hook implementations of the test clock."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.requests.routes import Routes
from comanda.platform.test_clock.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.test_clock.models",), "comanda_migrations.core")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]
