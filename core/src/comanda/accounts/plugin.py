"""Hook implementations of accounts."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.accounts import codes, login_attempts, services, web_sessions
from comanda.accounts.models import TOTP_PENDING_SECRET, TOTP_SECRET
from comanda.accounts.owner_login import OwnerPasswordLogin
from comanda.accounts.owners.messages import PASSWORD_RESET
from comanda.accounts.routes import routes
from comanda.accounts.sign_in import one_time_tokens
from comanda.contracts.background.messaging import MessageTemplate
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope, create_scopes

OWNER_KIND = CallerKind(code="owner", prefix="own_", names=services.get_names, password_login=OwnerPasswordLogin())


@hookimpl
def register_models() -> Sequence[ModelSet]:
    encrypted = (TOTP_SECRET, TOTP_PENDING_SECRET)
    return [ModelSet("core", ("comanda.accounts.models",), "comanda_migrations.core", encrypted=encrypted)]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [OWNER_KIND]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return [
        Scope("*", "Everything, including features added later"),
        Scope("read", "Read everything"),
        Scope("write", "Read and change everything"),
        *create_scopes("tokens", "access tokens"),
    ]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [PASSWORD_RESET]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task("prune_codes", codes.delete_expired_codes, every=timedelta(hours=1)),
        Task("prune_tries", login_attempts.delete_expired_attempts, every=timedelta(hours=1)),
        Task("prune_one_time_tokens", one_time_tokens.delete_expired_tokens, every=timedelta(hours=1)),
        Task("prune_web_sessions", web_sessions.delete_expired_sessions, every=timedelta(hours=1)),
    ]
