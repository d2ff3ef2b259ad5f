"""Hook implementations of the audit log."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.requests.routes import Routes
from comanda.platform.audit_log import retention
from comanda.platform.audit_log.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.audit_log.models",), "comanda_migrations.core", logs=(retention.LOG,))]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("prune_audit_log", retention.delete_old_entries, every=timedelta(hours=1))]
