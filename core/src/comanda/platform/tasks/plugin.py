"""Hook implementations of the task schedule."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.data.model_sets import ModelSet


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.tasks.models",), "comanda_migrations.core")]
