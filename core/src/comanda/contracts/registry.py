"""The registry: everything that the installed plugins declare, gathered once and frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

import click

from comanda.contracts.callers import CallerKind
from comanda.contracts.cash_on_delivery import CashOnDelivery
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.mcp import McpServer, Tool
from comanda.contracts.messaging import MessageTemplate, Transport
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.payments import PaymentBook, PaymentMethod
from comanda.contracts.references import Reference
from comanda.contracts.routes import Route
from comanda.contracts.sections import Section
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task
from comanda.contracts.verticals import KNOWN_CAPABILITIES, ItemCapability, Vertical


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
    verticals: Mapping[str, Vertical]
    item_capabilities: Mapping[str, ItemCapability]
    fulfillment_modes: Mapping[str, FulfillmentMode]
    order_participants: tuple[OrderParticipant, ...]
    sections: tuple[Section, ...]
    events: Mapping[str, type[Event]]
    event_handlers: tuple[EventHandler, ...]
    tasks: Mapping[str, Task]
    queue_workers: tuple[QueueWorker, ...]
    transports: tuple[Transport, ...]
    message_templates: Mapping[str, MessageTemplate]
    payment_methods: Mapping[str, PaymentMethod]
    payment_books: tuple[PaymentBook, ...]
    cash_on_delivery: CashOnDelivery | None
    erasers: tuple[PersonalDataEraser, ...]
    references: Mapping[str, Reference]
    mcp_servers: Mapping[str, McpServer]
    mcp_tools: Mapping[str, Tool]
    settings: Mapping[type[PluginSettings], PluginSettings]
    settings_plugins: Mapping[type[PluginSettings], str]
    commands: tuple[click.Command, ...]
    pages: tuple[Pages, ...]
    docs: Mapping[str, Chapter]
    demo_data: tuple[DemoData, ...]
    contributions: Mapping[str, Mapping[str, tuple[str, ...]]]

    def capabilities(self) -> tuple[str, ...]:
        """List every capability that a vertical may have."""
        return (*KNOWN_CAPABILITIES, *(code for code in self.item_capabilities if code not in KNOWN_CAPABILITIES))

    def item_fields(self, vertical: Vertical) -> list[ItemCapability]:
        """List the item capabilities of a vertical's stores."""
        return [self.item_capabilities[code] for code in vertical.capabilities if code in self.item_capabilities]

    def store_url(self, site_url: str, slug: str) -> str:
        """Return the address of a store's public page, or of the site where no plugin shows stores."""
        path = next((pages.store_path for pages in self.pages if pages.store_path), "/")
        return site_url + path.replace("{slug}", slug)

    def secret_paths(self) -> tuple[str, ...]:
        """List the paths that are followed by a secret: those of pages, and of routes with a secret parameter."""
        routes = (prefix for route in self.routes for prefix in route.secret_prefixes())
        return tuple(dict.fromkeys([*(path for pages in self.pages for path in pages.secret_paths), *routes]))

    def participants(self, vertical: Vertical, mode: str) -> list[OrderParticipant]:
        """List who takes part in a vertical's orders of a mode, in the order in which they are asked."""
        return [participant for participant in self.order_participants if participant.joins(vertical, mode)]
