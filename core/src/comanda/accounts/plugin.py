"""Hook implementations of accounts."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.accounts import codes, login_attempts
from comanda.accounts.routes import routes
from comanda.contracts.callers import CallerKind
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import Task

OWNER_KIND = CallerKind(code="owner", prefix="own_")


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of owners and access tokens."""
    return [ModelSet("core", ("comanda.accounts.models",), "comanda_migrations.core")]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Register the owner's personal token."""
    return [OWNER_KIND]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes about the caller."""
    return [routes]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the deletion of expired codes and login attempts."""
    return [
        Task("prune_codes", codes.delete_expired_codes, every=timedelta(hours=1)),
        Task("prune_tries", login_attempts.delete_expired_attempts, every=timedelta(hours=1)),
    ]
