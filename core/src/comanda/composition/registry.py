"""The hooks of the contract in one table, and the registry that is gathered through them at startup."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, get_args

import click

from comanda.basics.hook_costs import log_costs
from comanda.basics.startup_errors import (
    BrokenPlugin,
    DuplicateRegistration,
    InvalidDeclaration,
    InvalidSettings,
    StartupError,
)
from comanda.composition import access_checks
from comanda.composition import declaration_checks as checks
from comanda.composition.declaration_checks import Declared, Found
from comanda.composition.plugin_loader import CORE, manager
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
from comanda.contracts.registry import Plugin, Registry
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.mcp import McpServer, Tool
from comanda.contracts.requests.references import Reference
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope
from comanda.contracts.settings import PluginSettings
from comanda.contracts.stores.hosts import StoreHosts
from comanda.contracts.stores.menu_items import MenuTexts
from comanda.contracts.stores.settings import StoreSettings
from comanda.contracts.stores.verticals import ItemCapability, Vertical
from comanda.contracts.tracing import Tracing
from comanda.contracts.web.dashboard import NavigationEntry, Panel
from comanda.contracts.web.documentation import Chapter
from comanda.contracts.web.pages import Pages
from comanda.platform import settings as settings_module
from comanda.platform.mcp import servers as mcp
from comanda.stores import store_settings_routes


def _by_code(item: Any) -> str:
    return str(item.code)


def _by_name(item: Any) -> str:
    return str(item.name)


def _frozen(found: Found) -> Mapping[str, Any]:
    return MappingProxyType({name: item for name, (_, item) in found.items()})


def _values(found: Found) -> tuple[Any, ...]:
    return tuple(item for _, item in found.values())


def _by_priority(found: Found) -> tuple[Any, ...]:
    return tuple(sorted(_values(found), key=lambda item: (item.priority, item.name)))


def _only(found: Found) -> Any:
    return next(iter(_values(found)), None)


def _tasks(found: Found) -> Mapping[str, Any]:
    return _frozen({name: (plugin, item) for name, (plugin, item) in found.items() if isinstance(item, Task)})


def _entitlement_key(item: Feature | EntitlementProvider) -> str:
    return item.code if isinstance(item, Feature) else "(provider)"


def _features(found: Found) -> Mapping[str, Any]:
    return _frozen({name: (plugin, item) for name, (plugin, item) in found.items() if isinstance(item, Feature)})


def _scopes_of(scope: Scope) -> Iterable[tuple[str, Any]]:
    return ((f"{kind}/{scope.name}", scope) for kind in scope.kinds)


def _by_kind(found: Found) -> Mapping[str, Mapping[str, Scope]]:
    kinds: dict[str, dict[str, Scope]] = {}
    for key, (_, scope) in found.items():
        kinds.setdefault(key.partition("/")[0], {})[scope.name] = scope
    return MappingProxyType({kind: MappingProxyType(scopes) for kind, scopes in kinds.items()})


def _routes_of(group: Routes) -> Iterable[tuple[str, Any]]:
    return ((f"{route.method} {route.full_path}", route) for route in group)


def _tools_of(tool: Tool) -> Iterable[tuple[str, Any]]:
    return ((f"{server}/{tool.name}", tool) for server in tool.servers)


def _merge_models(one: ModelSet, other: ModelSet) -> ModelSet:
    return replace(
        one,
        modules=one.modules + other.modules,
        encrypted=one.encrypted + other.encrypted,
        node_statements=one.node_statements + other.node_statements,
        logs=one.logs + other.logs,
    )


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of ``hookspecs``: what it declares, and how that is named, checked and kept.

    ``declares`` is a class, several, or ``type[X]`` for X and its subclasses. ``label`` names one declaration in
    messages, ``plural`` several in lists such as ``comanda plugins``. ``key`` returns the name that must be unique, or
    ``entries`` the names and parts of a declaration that stands for several. ``check_each`` checks one declaration,
    ``check`` all of them together, ``merge`` joins two that core's rooms declare under one name, and ``collect``
    returns what the registry keeps under ``attribute``, or under ``kept_as``.
    """

    name: str
    declares: Any
    label: str
    plural: str
    key: Callable[[Any], str] = _by_name
    check: Callable[[Found, Declared], None] | None = None
    check_each: Callable[[str, Any, Declared], None] | None = None
    entries: Callable[[Any], Iterable[tuple[str, Any]]] | None = None
    merge: Callable[[Any, Any], Any] | None = None
    collect: Callable[[Found], Any] = _frozen
    kept_as: str | None = None

    @property
    def attribute(self) -> str:
        """The registry's attribute that holds the declarations."""
        return self.name.removeprefix("register_")

    def takes(self, item: object) -> bool:
        """Return whether ``item`` is something that the hook declares."""
        if base := get_args(self.declares):
            return isinstance(item, type) and issubclass(item, base[0])
        return isinstance(item, self.declares)

    def entries_of(self, declaration: Any) -> Iterable[tuple[str, Any]]:
        """Return what a declaration stands for, each with its unique name."""
        return [(self.key(declaration), declaration)] if self.entries is None else self.entries(declaration)


# In the order in which plugins are asked: a hook comes after those that its checks look at.
HOOKS: Final = (
    Hook("register_caller_kinds", CallerKind, "caller kind", "caller_kinds", _by_code, access_checks.caller_kinds),
    Hook(
        "register_scopes",
        Scope,
        "scope",
        "scopes",
        check_each=access_checks.scope,
        entries=_scopes_of,
        collect=_by_kind,
    ),
    Hook(
        "register_entitlements",
        (Feature, EntitlementProvider),
        "entitlement",
        "entitlements",
        _entitlement_key,
        collect=_features,
        kept_as="features",
    ),
    Hook(
        "register_models",
        ModelSet,
        "model set",
        "model_sets",
        lambda one: one.app,
        merge=_merge_models,
        collect=_values,
    ),
    Hook(
        "register_item_capabilities",
        ItemCapability,
        "item capability",
        "item_capabilities",
        _by_code,
        checks.item_capabilities,
    ),
    Hook("register_menu_texts", MenuTexts, "loader of menu texts", "menu_texts", collect=_values),
    Hook("register_fulfillment_modes", FulfillmentMode, "fulfillment mode", "modes", _by_code),
    Hook("register_verticals", Vertical, "vertical", "verticals", lambda one: one.store_type, checks.verticals),
    Hook(
        "register_store_settings",
        StoreSettings,
        "set of store settings",
        "store_settings",
        lambda one: one.plugin,
        check_each=checks.store_settings,
    ),
    Hook(
        "register_order_participants",
        OrderParticipant,
        "order participant",
        "order_participants",
        check=checks.order_participants,
        collect=_by_priority,
    ),
    Hook("register_sections", Section, "section", "sections", check=checks.sections, collect=_values),
    Hook("register_events", type[Event], "event", "events", checks.event_name, check_each=access_checks.event),
    Hook(
        "register_event_handlers",
        EventHandler,
        "event handler",
        "event_handlers",
        check=checks.event_handlers,
        collect=_values,
    ),
    Hook("register_tasks", (Task, LeasedQueue), "task", "tasks", collect=_tasks),
    Hook("register_transports", Transport, "transport", "transports", collect=_by_priority),
    Hook(
        "register_message_templates",
        MessageTemplate,
        "message template",
        "message_templates",
        check=checks.message_templates,
    ),
    Hook("register_payment_methods", PaymentMethod, "payment method", "payment_methods", _by_code),
    Hook("register_payment_books", PaymentBook, "payment book", "payment_books", collect=_values),
    # At most one plugin registers each.
    Hook(
        "register_online_payments",
        OnlinePayments,
        "online payments",
        "online_payments",
        lambda _: "payments",
        collect=_only,
    ),
    Hook(
        "register_cash_on_delivery",
        CashOnDelivery,
        "cash on delivery",
        "cash_on_delivery",
        lambda _: "book",
        collect=_only,
    ),
    Hook("register_store_hosts", StoreHosts, "store hosts", "store_hosts", lambda _: "hosts", collect=_only),
    Hook("register_tracing", Tracing, "tracing", "tracing", lambda _: "tracing", collect=_only),
    Hook("register_erasers", PersonalDataEraser, "eraser", "erasers", collect=_values),
    Hook("register_database_upkeep", DatabaseUpkeep, "database upkeep", "database_upkeep", collect=_values),
    Hook("register_references", Reference, "reference", "references"),
    Hook(
        "register_reconcilers",
        Reconciler,
        "reconciler",
        "reconcilers",
        lambda one: one.plugin,
        check_each=checks.reconciler,
    ),
    Hook(
        "register_commands",
        click.Command,
        "command",
        "commands",
        lambda one: one.name or "",
        check=checks.commands,
        collect=_values,
    ),
    Hook("register_pages", Pages, "set of pages", "pages", lambda pages: str(pages.blueprint.name), collect=_values),
    Hook(
        "register_navigation",
        NavigationEntry,
        "navigation entry",
        "navigation_entries",
        lambda one: f"{one.audience} {one.path}",
        check=checks.navigation,
        collect=_values,
    ),
    Hook("register_panels", Panel, "panel", "panels", check=checks.panels, collect=_values),
    Hook("register_docs", Chapter, "documentation chapter", "docs", check=checks.docs),
    Hook("register_demo_data", DemoData, "demo step", "demo_data", collect=_values),
    Hook("register_mcp_servers", McpServer, "MCP server", "mcp_servers", check=access_checks.mcp_servers),
    Hook("register_mcp_tools", Tool, "MCP tool", "mcp_tools", check_each=access_checks.mcp_tool, entries=_tools_of),
    Hook(
        "register_routes",
        Routes,
        "route",
        "routes",
        check=access_checks.addresses,
        check_each=access_checks.routes,
        entries=_routes_of,
        collect=_values,
    ),
)
# Asked for before all others, as the hooks of a plugin may read its settings.
SETTINGS: Final = Hook("register_settings", type[PluginSettings], "settings class", "settings")


class _Gatherer:
    """Asks each plugin in turn, so that every declaration keeps the name of the plugin that made it."""

    def __init__(self, plugins: Sequence[Plugin]) -> None:
        self._plugins = plugins
        self._hooks = manager(plugins)
        self.declared: dict[str, dict[str, tuple[str, Any]]] = {}
        self.contributions: dict[str, dict[str, tuple[str, ...]]] = {plugin.name: {} for plugin in plugins}

    def ask(self, hook: Hook) -> list[tuple[str, Any]]:
        """Return ``(plugin, declaration)`` of every declaration made through a hook."""
        return [(plugin.name, item) for plugin in self._plugins for item in self._answers(plugin, hook)]

    def gather(self, hook: Hook, more: Iterable[tuple[str, Any]] = ()) -> None:
        """Collect and check what plugins declare through a hook. Raises ``StartupError`` naming the plugins."""
        found = self.declared[hook.attribute] = {}
        for plugin, declaration in [*self.ask(hook), *more]:
            with _naming(plugin, hook):
                if hook.check_each is not None:
                    hook.check_each(plugin, declaration, self.declared)
                for name, item in hook.entries_of(declaration):
                    self._add(found, plugin, hook, name, item)
        if hook.check is not None:
            hook.check(found, self.declared)

    def _answers(self, plugin: Plugin, hook: Hook) -> list[Any]:
        others = [module for other in self._plugins if other is not plugin for module in other.modules]
        caller = self._hooks.subset_hook_caller(hook.name, others)
        try:
            with log_costs(plugin.name, hook.name):
                # Pluggy asks what was registered last first.
                answers = [[answer] if isinstance(answer, type) else list(answer) for answer in reversed(caller())]
        except (StartupError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise BrokenPlugin(
                f"Plugin {plugin.name}: {hook.name} does not return declarations: {error!r}.", plugin.name
            ) from error
        items = [item for answer in answers for item in answer]
        if strange := [item for item in items if not hook.takes(item)]:
            raise InvalidDeclaration(
                f"Plugin {plugin.name}: {hook.name} returns {strange[0]!r}, which it does not take.", plugin.name
            )
        return items

    def _add(self, found: dict[str, tuple[str, Any]], plugin: str, hook: Hook, name: str, item: Any) -> None:
        if name in found:
            owner, known = found[name]
            if owner != plugin or plugin != CORE or hook.merge is None:
                raise DuplicateRegistration(
                    f"Plugins {owner} and {plugin} both declare the {hook.label} {name}.", owner, plugin
                )
            found[name] = (plugin, hook.merge(known, item))
            return
        found[name] = (plugin, item)
        contributed = self.contributions[plugin]
        contributed[hook.label] = (*contributed.get(hook.label, ()), name)


@contextmanager
def _naming(plugin: str, hook: Hook) -> Iterator[None]:
    """Name the plugin in the refusal of its declaration."""
    try:
        yield
    except StartupError as error:
        error.plugins = error.plugins or (plugin,)
        raise
    except Exception as error:
        raise BrokenPlugin(
            f"Plugin {plugin}: {hook.name} returns a declaration that cannot be read: {error!r}.", plugin
        ) from error


def gather(plugins: Sequence[Plugin]) -> Registry:
    """Collect the declarations of every plugin and check them against each other. Raises ``StartupError``."""
    gatherer = _Gatherer(plugins)
    settings_plugins = {kind: plugin for plugin, kind in gatherer.ask(SETTINGS)}
    settings = {kind: _read_settings(kind, plugin) for kind, plugin in settings_plugins.items()}
    for hook in HOOKS:
        gatherer.gather(hook, _created_routes(gatherer.declared) if hook.declares is Routes else ())
    for plugin, tables in checks.tables(gatherer.declared["models"]).items():
        gatherer.contributions[plugin]["table"] = tuple(tables)
    return Registry(
        plugins=tuple(plugins),
        settings=MappingProxyType(settings),
        settings_plugins=MappingProxyType(settings_plugins),
        queues=tuple(item for _, item in gatherer.declared["tasks"].values() if isinstance(item, LeasedQueue)),
        contributions=MappingProxyType(gatherer.contributions),
        declared_by=MappingProxyType(_list_plugins_by_declaration(gatherer.declared)),
        entitlement_provider=gatherer.declared["entitlements"].get("(provider)", (None, None))[1],
        **{hook.kept_as or hook.attribute: hook.collect(gatherer.declared[hook.attribute]) for hook in HOOKS},
    )


def _read_settings(kind: type[PluginSettings], plugin: str) -> PluginSettings:
    try:
        return settings_module.read_settings(kind, settings_module.get_prefix(plugin))
    except InvalidSettings as error:
        error.plugins = (plugin,)
        raise


def _list_plugins_by_declaration(declared: Declared) -> dict[int, str]:
    return {id(item): plugin for found in declared.values() for plugin, item in found.values()}


def _created_routes(declared: Declared) -> list[tuple[str, Routes]]:
    """Return the routes of MCP servers and store settings, each with the plugin that declares what they serve."""
    servers = declared["mcp_servers"].values()
    settings = declared["store_settings"].values()
    return [
        *((plugin, mcp.create_routes(server, _own_first(plugin, declared["mcp_tools"]))) for plugin, server in servers),
        *((plugin, store_settings_routes.create_routes(item)) for plugin, item in settings),
    ]


def _own_first(plugin: str, tools: Found) -> Found:
    """Return tools with those of the server's plugin first, whatever is installed beside it."""
    return dict(sorted(tools.items(), key=lambda item: item[1][0] != plugin))
