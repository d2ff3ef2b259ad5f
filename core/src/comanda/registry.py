"""What all plugins declare, gathered once, checked, and frozen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args

import click

from comanda import declaration_checks
from comanda import settings as settings_module
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
from comanda.contracts.registry import Plugin
from comanda.contracts.routes import Route, Routes
from comanda.contracts.sections import Section
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task
from comanda.contracts.verticals import KNOWN_CAPABILITIES, ItemCapability, Vertical
from comanda.mcp import servers as mcp
from comanda.plugin_loader import manager
from comanda.startup_errors import BrokenPlugin, DuplicateRegistration, InvalidDeclaration, StartupError


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
    drains: tuple[QueueWorker, ...]
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

    def participants(self, vertical: Vertical, mode: str) -> list[OrderParticipant]:
        """List who takes part in a vertical's orders of a mode, in the order in which they are asked."""
        return [participant for participant in self.order_participants if participant.joins(vertical, mode)]


# What each hook's answers consist of: instances of a class, or of ``type[X]`` the class X and its subclasses.
DECLARES: Mapping[str, Any] = {
    "register_models": ModelSet,
    "register_routes": Routes,
    "register_caller_kinds": CallerKind,
    "register_verticals": Vertical,
    "register_item_capabilities": ItemCapability,
    "register_fulfillment_modes": FulfillmentMode,
    "register_order_participants": OrderParticipant,
    "register_sections": Section,
    "register_events": type[Event],
    "register_event_handlers": EventHandler,
    "register_tasks": (Task, QueueWorker),
    "register_transports": Transport,
    "register_message_templates": MessageTemplate,
    "register_payment_methods": PaymentMethod,
    "register_payment_books": PaymentBook,
    "register_cash_on_delivery": CashOnDelivery,
    "register_erasers": PersonalDataEraser,
    "register_references": Reference,
    "register_mcp_servers": McpServer,
    "register_mcp_tools": Tool,
    "register_settings": type[PluginSettings],
    "register_commands": click.Command,
    "register_pages": Pages,
    "register_docs": Chapter,
    "register_demo_data": DemoData,
}


def _is_a(item: object, expected: Any) -> bool:
    if base := get_args(expected):
        return isinstance(item, type) and issubclass(item, base[0])
    return isinstance(item, expected)


class _Gatherer:
    """Asks each plugin in turn, so that every declaration keeps the name of who made it."""

    def __init__(self, plugins: Sequence[Plugin]) -> None:
        self._plugins = plugins
        self._hooks = manager(plugins)
        self.contributions: dict[str, dict[str, tuple[str, ...]]] = {plugin.name: {} for plugin in plugins}

    def ask(self, hook: str) -> list[tuple[str, Any]]:
        """Return ``(plugin, declaration)`` of every declaration made through a hook."""
        declared: list[tuple[str, Any]] = []
        for plugin in self._plugins:
            others = [other.module for other in self._plugins if other is not plugin]
            declared += [(plugin.name, item) for item in self._answers(plugin, hook, others)]
        return declared

    def _answers(self, plugin: Plugin, hook: str, others: Sequence[object]) -> list[Any]:
        caller = self._hooks.subset_hook_caller(hook, others)
        try:
            answers = [[answer] if isinstance(answer, type) else list(answer) for answer in caller()]
        except StartupError:
            raise
        except Exception as error:
            raise BrokenPlugin(f"Plugin {plugin.name}: {hook} does not return declarations: {error!r}.") from error
        items = [item for answer in answers for item in answer]
        if strange := [item for item in items if not _is_a(item, DECLARES[hook])]:
            raise InvalidDeclaration(f"Plugin {plugin.name}: {hook} returns {strange[0]!r}, which it does not take.")
        return items

    def unique(self, hook: str, what: str, name_of: Callable[[Any], str]) -> dict[str, tuple[str, Any]]:
        """Return declarations by name. Raises ``DuplicateRegistration`` naming both plugins."""
        found: dict[str, tuple[str, Any]] = {}
        for plugin, item in self.ask(hook):
            self.add(found, plugin, what, name_of(item), item)
        return found

    def add(self, found: dict[str, tuple[str, Any]], plugin: str, what: str, name: str, item: Any) -> None:
        """Take one declaration in under its name."""
        if name in found:
            raise DuplicateRegistration(f"Plugins {found[name][0]} and {plugin} both declare the {what} {name}.")
        found[name] = (plugin, item)
        mine = self.contributions[plugin]
        mine[what] = (*mine.get(what, ()), name)


def gather(plugins: Sequence[Plugin]) -> Registry:
    """Ask every plugin for its declarations and check them against each other. Raises ``StartupError``."""
    g = _Gatherer(plugins)
    settings_plugins = {kind: plugin for plugin, kind in g.ask("register_settings")}
    settings = {
        kind: settings_module.read(kind, settings_module.prefix_of(plugin)) for kind, plugin in settings_plugins.items()
    }
    kinds = g.unique("register_caller_kinds", "caller kind", lambda kind: kind.code)
    declaration_checks.caller_kinds(kinds)
    models = g.unique("register_models", "model set", lambda models_of: models_of.app)
    for plugin, table in declaration_checks.tables(models).items():
        g.contributions[plugin]["table"] = tuple(table)
    capabilities = g.unique("register_item_capabilities", "item capability", lambda capability: capability.code)
    declaration_checks.item_fields(capabilities)
    modes = g.unique("register_fulfillment_modes", "fulfillment mode", lambda mode: mode.code)
    verticals = g.unique("register_verticals", "vertical", lambda vertical: vertical.store_type)
    declaration_checks.verticals(verticals, {*KNOWN_CAPABILITIES, *capabilities}, set(modes))
    participants = g.unique("register_order_participants", "order participant", lambda participant: participant.name)
    declaration_checks.order_participants(
        participants, _values(modes), _values(verticals), {*KNOWN_CAPABILITIES, *capabilities}
    )
    sections = g.unique("register_sections", "section", lambda section: section.name)
    declaration_checks.sections(sections)
    events = g.unique("register_events", "event", declaration_checks.event_name)
    handlers = g.unique("register_event_handlers", "event handler", lambda handler: handler.name)
    declaration_checks.event_handlers(handlers, _values(events))
    work = g.unique("register_tasks", "task", lambda task: task.name)
    transports = g.unique("register_transports", "transport", lambda transport: transport.name)
    templates = g.unique("register_message_templates", "message template", lambda template: template.name)
    declaration_checks.message_templates(templates)
    methods = g.unique("register_payment_methods", "payment method", lambda method: method.code)
    books = g.unique("register_payment_books", "payment book", lambda book: book.name)
    # There can be one, whatever it is called.
    at_the_door = g.unique("register_cash_on_delivery", "cash on delivery", lambda _: "book")
    erasers = g.unique("register_erasers", "eraser", lambda eraser: eraser.name)
    references = g.unique("register_references", "reference", lambda reference: reference.name)
    commands = g.unique("register_commands", "command", lambda command: command.name or "")
    pages = g.unique("register_pages", "set of pages", lambda declared: declared.blueprint.name)
    docs = g.unique("register_docs", "documentation chapter", lambda chapter: chapter.name)
    declaration_checks.docs(docs)
    demo = g.unique("register_demo_data", "demo step", lambda step: step.name)
    servers = g.unique("register_mcp_servers", "MCP server", lambda server: server.name)
    mcp.check_servers(servers, set(kinds))
    tools = _mcp_tools(g, servers)
    mounted = [(plugin, mcp.mount(server, tools)) for plugin, server in servers.values()]
    routes = _routes(g, set(kinds), mounted)
    return Registry(
        plugins=tuple(plugins),
        models=tuple(_values(models)),
        routes=tuple(_values(routes)),
        caller_kinds=_frozen(kinds),
        verticals=_frozen(verticals),
        item_capabilities=_frozen(capabilities),
        fulfillment_modes=_frozen(modes),
        order_participants=tuple(sorted(_values(participants), key=lambda one: (one.priority, one.name))),
        sections=tuple(_values(sections)),
        events=_frozen(events),
        event_handlers=tuple(_values(handlers)),
        tasks=MappingProxyType({name: task for name, (_, task) in work.items() if isinstance(task, Task)}),
        drains=tuple(item for item in _values(work) if isinstance(item, QueueWorker)),
        transports=tuple(sorted(_values(transports), key=lambda one: (one.priority, one.name))),
        message_templates=_frozen(templates),
        payment_methods=_frozen(methods),
        payment_books=tuple(_values(books)),
        cash_on_delivery=next(iter(_values(at_the_door)), None),
        erasers=tuple(_values(erasers)),
        references=_frozen(references),
        mcp_servers=_frozen(servers),
        mcp_tools=_frozen(tools),
        settings=MappingProxyType(settings),
        settings_plugins=MappingProxyType(settings_plugins),
        commands=tuple(_values(commands)),
        pages=tuple(_values(pages)),
        docs=_frozen(docs),
        demo_data=tuple(_values(demo)),
        contributions=MappingProxyType(g.contributions),
    )


def _values(found: Mapping[str, tuple[str, Any]]) -> list[Any]:
    return [item for _, item in found.values()]


def _frozen(found: Mapping[str, tuple[str, Any]]) -> Mapping[str, Any]:
    return MappingProxyType({name: item for name, (_, item) in found.items()})


def _mcp_tools(g: _Gatherer, servers: Mapping[str, tuple[str, McpServer]]) -> dict[str, tuple[str, Tool]]:
    found: dict[str, tuple[str, Tool]] = {}
    for plugin, tool in g.ask("register_mcp_tools"):
        mcp.check_tool(plugin, tool, servers)
        for server in tool.servers:
            g.add(found, plugin, "MCP tool", f"{server}/{tool.name}", tool)
    return found


def _routes(g: _Gatherer, kinds: set[str], mounted: list[tuple[str, Routes]]) -> dict[str, tuple[str, Route]]:
    found: dict[str, tuple[str, Route]] = {}
    groups: Iterable[tuple[str, Routes]] = [*g.ask("register_routes"), *mounted]
    for plugin, group in groups:
        for route in group:
            declaration_checks.route(plugin, route, kinds)
            g.add(found, plugin, "route", f"{route.method} {route.full_path}", route)
    declaration_checks.addresses(found)
    return found
