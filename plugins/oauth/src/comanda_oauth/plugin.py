"""OAuth 2.0 authorization server: clients, consent, tokens of apps."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import CallerKind, Chapter, Event, ModelSet, Pages, PluginSettings, Routes, Scope, Task

from comanda_oauth import tasks
from comanda_oauth.caller_kinds import APP
from comanda_oauth.events import AppInstalled, AppScopesChanged, AppUninstalled
from comanda_oauth.pages.blueprint import pages
from comanda_oauth.routes.metadata import routes as metadata_routes
from comanda_oauth.routes.registration import routes as registration_routes
from comanda_oauth.routes.tokens import documented_routes
from comanda_oauth.routes.tokens import routes as token_routes
from comanda_oauth.scopes import APP_SCOPES
from comanda_oauth.services.clients.client_secrets import ENCRYPTED_COLUMNS
from comanda_oauth.settings import OAuthSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the operator's settings."""
    return OAuthSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of clients, installations, codes and tokens, and their encrypted columns."""
    return [ModelSet("oauth", ("comanda_oauth.models",), "comanda_migrations.oauth", ENCRYPTED_COLUMNS)]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Register the access token of an app, which acts for an owner."""
    return [APP]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    """Register the scopes that apps may ask for."""
    return APP_SCOPES


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the events of installations."""
    return [AppInstalled, AppScopesChanged, AppUninstalled]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the endpoints of clients and the metadata of the server."""
    return [documented_routes, token_routes, registration_routes, metadata_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the consent page."""
    return [pages]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the deletion of expired codes and tokens."""
    return [Task("oauth_prune", tasks.prune_tokens, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on apps and their access."""
    summary = "Registering clients, consent, tokens, scopes, refresh, revocation, MCP clients, errors and limits."
    return [Chapter("oauth", "Access for apps", summary, "comanda_oauth", "docs/oauth.md")]
