"""Finds plugins by their entry points, orders them by what they depend on, and loads them."""

import graphlib
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, entry_points

import pluggy

from comanda import hookspecs
from comanda.contracts.registry import Plugin
from comanda.db.model_comments import skip_comment_parsing
from comanda.startup_errors import (
    BrokenPlugin,
    DuplicateRegistration,
    InvalidDeclaration,
    MissingDependency,
    UnknownReference,
)

GROUP = "comanda.plugins"
BUILTIN_GROUP = "comanda.builtin"
# The order in which core's rooms are asked, and so the order of chapters and of the API's index.
BUILTIN = (
    "api_reference", "accounts", "encryption", "stores", "menu", "orders", "events", "tasks", "photos", "audit_log",
    "web", "demo_data",
)  # fmt: skip
CORE = "core"
NAME = re.compile(r"[a-z][a-z0-9_]*")


def discover() -> list[EntryPoint]:
    """List the entry points of installed plugins, by name."""
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def load(points: Sequence[EntryPoint] | None = None, disabled: Collection[str] = ()) -> tuple[Plugin, ...]:
    """Import plugins, core first and each after those that it depends on. Raises ``StartupError``."""
    found = _by_name(discover() if points is None else points)
    if unknown := sorted(set(disabled) - set(found)):
        raise UnknownReference(f"COMANDA_DISABLED_PLUGINS names {', '.join(unknown)}, which is not installed.")
    enabled = {name: point for name, point in found.items() if name not in disabled}
    skip_comment_parsing()
    return (_core(), *(_import(enabled[name]) for name in _in_dependency_order(enabled, found)))


def _core() -> Plugin:
    """Return core as a plugin: its rooms declare what they bring through the same hooks as every other plugin."""
    found = {point.name: point for point in entry_points(group=BUILTIN_GROUP)}
    return Plugin(CORE, "comanda-core", _version("comanda-core"), tuple(found[name].load() for name in BUILTIN))


def _by_name(points: Sequence[EntryPoint]) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in points:
        distribution = _distribution(point).name
        if point.name == CORE:
            raise DuplicateRegistration(f"Distribution {distribution} names its plugin {CORE}, as core is named.")
        if not NAME.fullmatch(point.name):
            raise InvalidDeclaration(
                f"Distribution {distribution} names its plugin {point.name!r}; a name is lower-case letters, digits "
                "and underscores, for tables and settings begin with it."
            )
        if point.name in found:
            other = _distribution(found[point.name]).name
            raise DuplicateRegistration(f"Distributions {other} and {distribution} both bring a plugin {point.name}.")
        found[point.name] = point
    return found


def manager(plugins: Sequence[Plugin]) -> pluggy.PluginManager:
    """Register plugins with pluggy. Raises ``BrokenPlugin`` for a hook that does not exist."""
    hooks = pluggy.PluginManager("comanda")
    hooks.add_hookspecs(hookspecs)
    for plugin in plugins:
        try:
            for module in plugin.modules:
                hooks.register(module)
            hooks.check_pending()
        except pluggy.PluginValidationError as error:
            raise BrokenPlugin(f"Plugin {plugin.name} ({plugin.distribution}): {_hook_problem(error)}") from error
    return hooks


def _in_dependency_order(enabled: Mapping[str, EntryPoint], found: Mapping[str, EntryPoint]) -> list[str]:
    by_distribution: defaultdict[str, list[str]] = defaultdict(list)
    for name, point in found.items():
        by_distribution[_normal(_distribution(point).name)].append(name)
    graph: dict[str, list[str]] = {}
    for name, point in enabled.items():
        requirements = _requirements(_distribution(point))
        needed = [other for needs in requirements for other in by_distribution.get(needs, ())]
        if absent := [needs for needs in requirements if not _is_installed(needs, by_distribution)]:
            raise MissingDependency(f"Plugin {name} needs {', '.join(absent)}, which is not installed.")
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
    return Plugin(point.name, distribution.name, distribution.version, (module,))


def _distribution(point: EntryPoint) -> Distribution:
    if point.dist is None:
        raise BrokenPlugin(f"Plugin {point.name} ({point.value}) belongs to no installed distribution.")
    return point.dist


def _requirements(distribution: Distribution) -> list[str]:
    # A requirement that an extra or a marker guards is optional, and so no dependency of the plugin.
    plain = [line for line in distribution.requires or [] if ";" not in line]
    return [_normal(re.split(r"[\s<>=!~\[(@]", line, maxsplit=1)[0]) for line in plain]


def _is_installed(distribution: str, plugins: Collection[str]) -> bool:
    if distribution in plugins:
        return True
    try:
        Distribution.from_name(distribution)
    except PackageNotFoundError:
        return False
    return True


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(distribution: str) -> str:
    return Distribution.from_name(distribution).version


def _hook_problem(error: pluggy.PluginValidationError) -> str:
    return str(error).replace("\n", " ")
