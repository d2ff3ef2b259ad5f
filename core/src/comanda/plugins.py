"""Finds plugins by their entry points, orders them by what they depend on, and loads them."""

import graphlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import ModuleType

import pluggy

from comanda import core_plugin, hookspecs
from comanda.startup import BrokenPlugin, MissingDependency, UnknownReference

GROUP = "comanda.plugins"
CORE = "core"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A loaded plugin: its entry point's name, the distribution it came with, and its module."""

    name: str
    distribution: str
    version: str
    module: ModuleType


def discover() -> list[EntryPoint]:
    """List the entry points of installed plugins, by name."""
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def load(points: Sequence[EntryPoint] | None = None, disabled: Collection[str] = ()) -> tuple[Plugin, ...]:
    """Import plugins, core first and each after those that it depends on. Raises ``StartupError``."""
    found = {point.name: point for point in (discover() if points is None else points)}
    if unknown := sorted(set(disabled) - set(found)):
        raise UnknownReference(f"COMANDA_DISABLED_PLUGINS names {', '.join(unknown)}, which is not installed.")
    enabled = {name: point for name, point in found.items() if name not in disabled}
    core = Plugin(CORE, "comanda-core", _version("comanda-core"), core_plugin)
    return (core, *(_import(enabled[name]) for name in _in_dependency_order(enabled, found)))


def manager(plugins: Sequence[Plugin]) -> pluggy.PluginManager:
    """Register plugins with pluggy. Raises ``BrokenPlugin`` for a hook that does not exist."""
    hooks = pluggy.PluginManager("comanda")
    hooks.add_hookspecs(hookspecs)
    for plugin in plugins:
        try:
            hooks.register(plugin.module, plugin.name)
            hooks.check_pending()
        except pluggy.PluginValidationError as error:
            raise BrokenPlugin(f"Plugin {plugin.name} ({plugin.distribution}): {_hook_problem(error)}") from error
    return hooks


def _in_dependency_order(enabled: Mapping[str, EntryPoint], found: Mapping[str, EntryPoint]) -> list[str]:
    by_distribution = {_normal(_distribution(point).name): name for name, point in found.items()}
    graph: dict[str, list[str]] = {}
    for name, point in enabled.items():
        needed = [by_distribution[needs] for needs in _requirements(_distribution(point)) if needs in by_distribution]
        if missing := [other for other in needed if other not in enabled]:
            raise MissingDependency(f"Plugin {name} needs {', '.join(missing)}, which is disabled.")
        graph[name] = sorted(set(needed) - {name})
    try:
        return list(graphlib.TopologicalSorter(dict(sorted(graph.items()))).static_order())
    except graphlib.CycleError as error:
        raise MissingDependency(f"Plugins depend on each other in a circle: {' → '.join(error.args[1])}.") from error


def _import(point: EntryPoint) -> Plugin:
    distribution = _distribution(point)
    try:
        module = point.load()
    except Exception as error:
        raise BrokenPlugin(
            f"Plugin {point.name} ({distribution.name} {distribution.version}) cannot be imported: {error!r}."
        ) from error
    return Plugin(point.name, distribution.name, distribution.version, module)


def _distribution(point: EntryPoint) -> Distribution:
    if point.dist is None:
        raise BrokenPlugin(f"Plugin {point.name} ({point.value}) belongs to no installed distribution.")
    return point.dist


def _requirements(distribution: Distribution) -> list[str]:
    # A requirement that an extra or a marker guards is optional, and so no dependency of the plugin.
    plain = [line for line in distribution.requires or [] if ";" not in line]
    return [_normal(re.split(r"[\s<>=!~\[(@]", line, maxsplit=1)[0]) for line in plain]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(distribution: str) -> str:
    return Distribution.from_name(distribution).version


def _hook_problem(error: pluggy.PluginValidationError) -> str:
    return str(error).replace("\n", " ")
