"""OAuth 2.0 authorization server: clients, consent, tokens of apps."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    CallerKind,
    Chapter,
    Event,
    ModelSet,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Scope,
    Task,
)

from comanda_oauth import tasks
from comanda_oauth.caller_kinds import APP, ASSISTANT
from comanda_oauth.events import AppInstalled, AppScopesChanged, AppUninstalled
from comanda_oauth.pages.blueprint import pages
from comanda_oauth.routes.metadata import routes as metadata_routes
from comanda_oauth.routes.registration import routes as registration_routes
from comanda_oauth.routes.store_page import routes as store_page_routes
from comanda_oauth.routes.tokens import documented_routes
from comanda_oauth.routes.tokens import routes as token_routes
from comanda_oauth.scopes import APP_SCOPES, ASSISTANT_SCOPES
from comanda_oauth.services.clients.client_secrets import ENCRYPTED_COLUMNS
from comanda_oauth.services.installations.connections import ERASER
from comanda_oauth.settings import OAuthSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return OAuthSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("oauth", ("comanda_oauth.models",), "comanda_migrations.oauth", ENCRYPTED_COLUMNS)]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [APP, ASSISTANT]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return [*APP_SCOPES, *ASSISTANT_SCOPES]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [AppInstalled, AppScopesChanged, AppUninstalled]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [documented_routes, token_routes, registration_routes, metadata_routes, store_page_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("oauth_prune", tasks.prune_tokens, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Registering clients, consent, tokens, scopes, refresh, revocation, MCP clients, errors and limits."
    return [Chapter("oauth", "Access for apps", summary, "comanda_oauth", "docs/oauth.md")]
