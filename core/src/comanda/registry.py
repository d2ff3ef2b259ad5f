"""What all plugins declare, gathered once, checked, and frozen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import click

from comanda import settings as settings_module
from comanda.accounts.kinds import CallerKind
from comanda.db.modelset import ModelSet
from comanda.demo import DemoData
from comanda.events.types import Event, EventHandler
from comanda.fulfillment import FulfillmentMode
from comanda.http.routes import Route, Routes
from comanda.plugins import Plugin, manager
from comanda.settings import PluginSettings
from comanda.startup import DuplicateRegistration, InvalidDeclaration, UnknownReference
from comanda.tasks.types import Drain, Task
from comanda.verticals import KNOWN_CAPABILITIES, ItemCapability, Vertical

T = TypeVar("T")

Declared = tuple[tuple[str, Any], ...]


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
    events: Mapping[str, type[Event]]
    event_handlers: tuple[EventHandler, ...]
    tasks: Mapping[str, Task]
    drains: tuple[Drain, ...]
    settings: Mapping[type[PluginSettings], PluginSettings]
    commands: tuple[click.Command, ...]
    demo_data: tuple[DemoData, ...]
    contributions: Mapping[str, Mapping[str, tuple[str, ...]]]

    def capabilities(self) -> tuple[str, ...]:
        """List every capability that a vertical may have."""
        return (*KNOWN_CAPABILITIES, *(code for code in self.item_capabilities if code not in KNOWN_CAPABILITIES))

    def item_fields(self, vertical: Vertical) -> list[ItemCapability]:
        """List the item capabilities of a vertical's stores."""
        return [self.item_capabilities[code] for code in vertical.capabilities if code in self.item_capabilities]


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
            for answer in self._hooks.subset_hook_caller(hook, others)():
                items = [answer] if isinstance(answer, type) else list(answer)
                declared += [(plugin.name, item) for item in items]
        return declared

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
    settings = {
        kind: settings_module.read(kind, f"COMANDA_{plugin.upper()}_") for plugin, kind in g.ask("register_settings")
    }
    kinds = g.unique("register_caller_kinds", "caller kind", lambda kind: kind.code)
    _unique_values(kinds, "token prefix", lambda kind: kind.prefix)
    models = g.unique("register_models", "model set", lambda models_of: models_of.app)
    capabilities = g.unique("register_item_capabilities", "item capability", lambda capability: capability.code)
    _unique_fields(capabilities)
    modes = g.unique("register_fulfillment_modes", "fulfillment mode", lambda mode: mode.code)
    verticals = g.unique("register_verticals", "vertical", lambda vertical: vertical.store_type)
    _check_verticals(verticals, {*KNOWN_CAPABILITIES, *capabilities}, set(modes))
    events = g.unique("register_events", "event", lambda event: event.name)
    handlers = g.unique("register_event_handlers", "event handler", lambda handler: handler.name)
    _check_handlers(handlers, {event for _, event in events.values()})
    work = g.unique("register_tasks", "task", lambda task: task.name)
    commands = g.unique("register_commands", "command", lambda command: command.name or "")
    demo = g.unique("register_demo_data", "demo step", lambda step: step.name)
    routes = _routes(g, {code for code, _ in kinds.items()})
    return Registry(
        plugins=tuple(plugins),
        models=tuple(_values(models)),
        routes=tuple(_values(routes)),
        caller_kinds=_frozen(kinds),
        verticals=_frozen(verticals),
        item_capabilities=_frozen(capabilities),
        fulfillment_modes=_frozen(modes),
        events=_frozen(events),
        event_handlers=tuple(_values(handlers)),
        tasks=MappingProxyType({name: task for name, (_, task) in work.items() if isinstance(task, Task)}),
        drains=tuple(item for item in _values(work) if isinstance(item, Drain)),
        settings=MappingProxyType(settings),
        commands=tuple(_values(commands)),
        demo_data=tuple(_values(demo)),
        contributions=MappingProxyType(g.contributions),
    )


def _values(found: Mapping[str, tuple[str, Any]]) -> list[Any]:
    return [item for _, item in found.values()]


def _frozen(found: Mapping[str, tuple[str, Any]]) -> Mapping[str, Any]:
    return MappingProxyType({name: item for name, (_, item) in found.items()})


def _routes(g: _Gatherer, kinds: set[str]) -> dict[str, tuple[str, Route]]:
    found: dict[str, tuple[str, Route]] = {}
    groups: Iterable[tuple[str, Routes]] = g.ask("register_routes")
    for plugin, group in groups:
        for route in group:
            if route.callers and route.scope is None:
                raise InvalidDeclaration(f"Plugin {plugin}: {route.method} {route.full_path} declares no scope.")
            if unknown := [code for code in route.callers if code not in kinds]:
                raise UnknownReference(
                    f"Plugin {plugin}: {route.method} {route.full_path} takes callers of the kind {unknown[0]}, "
                    "which no plugin declares."
                )
            g.add(found, plugin, "route", f"{route.method} {route.full_path}", route)
    return found


def _unique_values(found: Mapping[str, tuple[str, Any]], what: str, value_of: Callable[[Any], str]) -> None:
    seen: dict[str, str] = {}
    for plugin, item in found.values():
        value = value_of(item)
        if value in seen:
            raise DuplicateRegistration(f"Plugins {seen[value]} and {plugin} both declare the {what} {value}.")
        seen[value] = plugin


def _unique_fields(capabilities: Mapping[str, tuple[str, ItemCapability]]) -> None:
    seen: dict[str, str] = {}
    for plugin, capability in capabilities.values():
        for field in capability.fields.model_fields:
            if field in seen:
                raise DuplicateRegistration(f"Plugins {seen[field]} and {plugin} both declare the item field {field}.")
            seen[field] = plugin


def _check_verticals(verticals: Mapping[str, tuple[str, Vertical]], capabilities: set[str], modes: set[str]) -> None:
    for plugin, vertical in verticals.values():
        for what, named, known in (
            ("capability", vertical.capabilities, capabilities),
            ("fulfillment mode", vertical.fulfillment_modes, modes),
        ):
            if unknown := [code for code in named if code not in known]:
                raise UnknownReference(
                    f"Plugin {plugin}: the vertical {vertical.store_type} names the {what} {unknown[0]}, "
                    "which no plugin declares."
                )


def _check_handlers(handlers: Mapping[str, tuple[str, EventHandler]], events: set[type[Event]]) -> None:
    for plugin, handler in handlers.values():
        if unknown := [event for event in handler.events if event not in events]:
            raise UnknownReference(
                f"Plugin {plugin}: the handler {handler.name} wants {unknown[0].name}, which no plugin declares."
            )
