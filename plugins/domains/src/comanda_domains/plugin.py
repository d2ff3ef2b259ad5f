"""A host for each store: own domains, proven by DNS, and subdomains of the operator's."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, NavigationEntry, Pages, PluginSettings, Routes, StoreHosts
from comanda.web import N_

from comanda_domains.pages.dashboard import dashboard
from comanda_domains.routes.hosts import proxy_routes, routes
from comanda_domains.services.proven_hosts import load_proven_hosts
from comanda_domains.settings import DomainsSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return DomainsSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("domains", ("comanda_domains.models",), "comanda_migrations.domains")]


@hookimpl
def register_store_hosts() -> Sequence[StoreHosts]:
    return [StoreHosts(load_proven_hosts)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes, proxy_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    path = "/stores/{store_id}/hosts"
    return [NavigationEntry(N_("Domains"), path, "channels", "restaurants:read", icon="globe", position=60)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "A domain of a store's own or a subdomain: DNS records, redirects, and what a proxy needs."
    return [Chapter("domains", "Domains", summary, "comanda_domains", "docs/domains.md")]
