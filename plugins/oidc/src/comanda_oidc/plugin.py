"""Sign-in of owners and staff by OpenID Connect."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, Pages, PluginSettings

from comanda_oidc.pages.blueprint import pages
from comanda_oidc.settings import OidcSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the operator's providers."""
    return OidcSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the table of identities."""
    return [ModelSet("oidc", ("comanda_oidc.models",), "comanda_migrations.oidc")]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of signing in and of an account's identities."""
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on providers."""
    summary = "Google Workspace, Microsoft Entra, Keycloak and others: settings, linking, two-factor, limits."
    return [Chapter("oidc", "Sign-in by OpenID Connect", summary, "comanda_oidc", "docs/oidc.md")]
