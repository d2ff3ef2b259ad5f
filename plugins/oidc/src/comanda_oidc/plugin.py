"""Sign-in of owners and staff by OpenID Connect."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, Pages, PluginSettings

from comanda_oidc.pages.blueprint import pages
from comanda_oidc.settings import OidcSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return OidcSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("oidc", ("comanda_oidc.models",), "comanda_migrations.oidc")]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Google Workspace, Microsoft Entra, Keycloak and others: settings, linking, two-factor, limits."
    return [Chapter("oidc", "Sign-in by OpenID Connect", summary, "comanda_oidc", "docs/oidc.md")]
