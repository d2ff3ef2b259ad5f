"""Hook implementations of the record of plugins."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.plugin_lifecycle import reconciliation


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.plugin_lifecycle.models",), "comanda_migrations.core")]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task("reconcile_plugins", reconciliation.reconcile_plugins, every=timedelta(minutes=1)),
        Task("touch_plugins", reconciliation.touch_plugins, every=timedelta(hours=1)),
    ]
