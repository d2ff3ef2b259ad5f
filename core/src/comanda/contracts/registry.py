"""The registry: everything that the installed plugins declare, gathered once and frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

import click

from comanda.contracts.background.events import Event, EventHandler
from comanda.contracts.background.messaging import MessageTemplate, Transport
from comanda.contracts.background.queues import LeasedQueue
from comanda.contracts.background.tasks import Reconciler, Task
from comanda.contracts.data.database_upkeep import DatabaseUpkeep
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.demo import DemoData
from comanda.contracts.entitlements import EntitlementProvider, Feature
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.orders.sections import Section
from comanda.contracts.payments.cash_on_delivery import CashOnDelivery
from comanda.contracts.payments.online_payments import OnlinePayments
from comanda.contracts.payments.providers import PaymentBook, PaymentMethod
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.mcp import McpServer, Tool
from comanda.contracts.requests.references import Reference
from comanda.contracts.requests.routes import Route
from comanda.contracts.scopes import Scope
from comanda.contracts.settings import PluginSettings
from comanda.contracts.stores.hosts import StoreHosts
from comanda.contracts.stores.menu_items import MenuTexts
from comanda.contracts.stores.settings import StoreSettings
from comanda.contracts.stores.verticals import KNOWN_CAPABILITIES, ItemCapability, Vertical
from comanda.contracts.tracing import Tracing
from comanda.contracts.web.dashboard import NavigationEntry, Panel
from comanda.contracts.web.documentation import Chapter
from comanda.contracts.web.pages import Pages

UNKNOWN_PLUGIN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A loaded plugin: its name, its distribution, and the modules that implement its hooks, one unless it is core."""

    name: str
    distribution: str
    version: str
    modules: tuple[ModuleType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Registry:
    """Everything that the loaded plugins declare. Mappings are keyed by the declaration's own name and read-only."""

    plugins: tuple[Plugin, ...]
    models: tuple[ModelSet, ...]
    routes: tuple[Route, ...]
    caller_kinds: Mapping[str, CallerKind]
    scopes: Mapping[str, Mapping[str, Scope]]
    features: Mapping[str, Feature]
    entitlement_provider: EntitlementProvider | None
    verticals: Mapping[str, Vertical]
    item_capabilities: Mapping[str, ItemCapability]
    menu_texts: tuple[MenuTexts, ...]
    fulfillment_modes: Mapping[str, FulfillmentMode]
    order_participants: tuple[OrderParticipant, ...]
    sections: tuple[Section, ...]
    events: Mapping[str, type[Event]]
    event_handlers: tuple[EventHandler, ...]
    tasks: Mapping[str, Task]
    queues: tuple[LeasedQueue, ...]
    transports: tuple[Transport, ...]
    message_templates: Mapping[str, MessageTemplate]
    payment_methods: Mapping[str, PaymentMethod]
    payment_books: tuple[PaymentBook, ...]
    online_payments: OnlinePayments | None
    cash_on_delivery: CashOnDelivery | None
    erasers: tuple[PersonalDataEraser, ...]
    database_upkeep: tuple[DatabaseUpkeep, ...]
    references: Mapping[str, Reference]
    reconcilers: Mapping[str, Reconciler]
    mcp_servers: Mapping[str, McpServer]
    mcp_tools: Mapping[str, Tool]
    store_settings: Mapping[str, StoreSettings]
    store_hosts: StoreHosts | None
    tracing: Tracing | None
    settings: Mapping[type[PluginSettings], PluginSettings]
    settings_plugins: Mapping[type[PluginSettings], str]
    commands: tuple[click.Command, ...]
    pages: tuple[Pages, ...]
    navigation: tuple[NavigationEntry, ...]
    panels: tuple[Panel, ...]
    docs: Mapping[str, Chapter]
    demo_data: tuple[DemoData, ...]
    contributions: Mapping[str, Mapping[str, tuple[str, ...]]]
    # The plugin of each declaration, by its identity: declarations need not be hashable, and live as long as this.
    declared_by: Mapping[int, str] = field(default_factory=dict, repr=False)

    def plugin_of(self, declaration: object) -> str:
        """Return the name of the plugin that made a declaration, such as a route, a section or a tool."""
        return self.declared_by.get(id(declaration), UNKNOWN_PLUGIN)

    def capabilities(self) -> tuple[str, ...]:
        """List every capability that a vertical may have."""
        return (*KNOWN_CAPABILITIES, *(code for code in self.item_capabilities if code not in KNOWN_CAPABILITIES))

    def list_scopes(self, kind: str) -> list[str]:
        """List the scopes that tokens of a caller kind may carry, in the order of their declaration."""
        return list(self.scopes.get(kind, ()))

    def item_fields(self, vertical: Vertical) -> list[ItemCapability]:
        """List the item capabilities of a vertical's stores."""
        return [self.item_capabilities[code] for code in vertical.capabilities if code in self.item_capabilities]

    def has_store_pages(self) -> bool:
        """Return whether a plugin shows stores to the public."""
        return any(pages.store_path for pages in self.pages)

    def store_path(self, slug: str) -> str:
        """Return the path of a store's public page, or of the start page where no plugin shows stores."""
        path = next((pages.store_path for pages in self.pages if pages.store_path), "/")
        return path.replace("{slug}", slug)

    def store_url(self, site_url: str, slug: str) -> str:
        """Return the address of a store's public page, or of the site where no plugin shows stores."""
        return self.page_url(site_url, self.store_path(slug))

    def page_url(self, site_url: str, path: str) -> str:
        """Return the address of a page of a store by its path: at the store's main host, if it has one."""
        slug, _, rest = path.removeprefix(self.store_path("")).partition("/")
        host = self.store_hosts.find_main_by_slug(slug) if self.store_hosts else None
        return f"{host.to_origin(site_url)}/{rest}" if host else site_url + path

    def guest_site_url(self, site_url: str, store_id: int) -> str:
        """Return the site at which guests of a store are: its main host, or the installation's own."""
        host = self.store_hosts.find_main(store_id) if self.store_hosts else None
        return host.to_origin(site_url) if host else site_url

    def secret_paths(self) -> tuple[str, ...]:
        """List the paths that are followed by a secret: those of pages, and of routes with a secret parameter."""
        routes = (prefix for route in self.routes for prefix in route.secret_prefixes())
        return tuple(dict.fromkeys([*(path for pages in self.pages for path in pages.secret_paths), *routes]))

    def find_plugin(self, label: str, name: str) -> str | None:
        """Return the plugin that declares something, such as an ``order participant``, or None."""
        found = (plugin for plugin, declared in self.contributions.items() if name in declared.get(label, ()))
        return next(found, None)

    def participants(self, vertical: Vertical, mode: str) -> list[OrderParticipant]:
        """List who takes part in a vertical's orders of a mode, in the order in which they are asked."""
        return [participant for participant in self.order_participants if participant.joins(vertical, mode)]
