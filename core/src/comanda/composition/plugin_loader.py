"""Finds plugins by their entry points, orders them by what they depend on, and loads them."""

import graphlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, EntryPoint, EntryPoints, PackageNotFoundError, entry_points

import pluggy
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion

from comanda import hookspecs
from comanda.basics.startup_errors import (
    BrokenPlugin,
    DuplicateRegistration,
    IncompatibleVersion,
    InvalidDeclaration,
    MissingDependency,
    UnknownReference,
)
from comanda.contracts.registry import Plugin
from comanda.platform.db.orm.model_comments import skip_comment_parsing
from comanda.platform.db.orm.model_filters import defer_filters

GROUP = "comanda.plugins"
BUILTIN_GROUP = "comanda.builtin"
# The order in which core's rooms are asked, and so the order of chapters and of the API's index.
BUILTIN = (
    "api_reference", "accounts", "encryption", "stores", "menu", "orders", "events", "tasks", "photos", "audit_log",
    "http", "web", "demo_data", "plugin_lifecycle", "test_clock",
)  # fmt: skip
# They have no tables; without plugins nothing is served.
SERVED = frozenset({"api_reference", "web"})
CORE = "core"
NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class _Installed:
    """An entry point of a plugin, with the metadata of its ``distribution``, whose file is read once.

    ``distribution`` is empty for one that belongs to none.
    """

    point: EntryPoint
    distribution: str
    version: str
    requirements: Sequence[Requirement]


def discover() -> list[EntryPoint]:
    """List the entry points of installed plugins, by name."""
    return _sort(entry_points(group=GROUP))


def load(points: Sequence[EntryPoint] | None = None, disabled: Collection[str] = ()) -> tuple[Plugin, ...]:
    """Import plugins, core first and each after those that it depends on. Raises ``StartupError``."""
    installed = entry_points()
    found = _by_name(_sort(installed.select(group=GROUP)) if points is None else points, disabled)
    if unknown := sorted(set(disabled) - set(found)):
        raise UnknownReference(f"COMANDA_DISABLED_PLUGINS names {', '.join(unknown)}, which is not installed.")
    enabled = {name: each for name, each in found.items() if name not in disabled}
    _prepare_models()
    plugins = (_import(enabled[name]) for name in _in_dependency_order(enabled, found))
    return (_core(BUILTIN, installed.select(group=BUILTIN_GROUP)), *plugins)


def load_core() -> tuple[Plugin, ...]:
    """Import core alone, without what answers requests."""
    _prepare_models()
    return (_core([name for name in BUILTIN if name not in SERVED], entry_points(group=BUILTIN_GROUP)),)


def _sort(points: EntryPoints) -> list[EntryPoint]:
    return sorted(points, key=lambda point: point.name)


def _prepare_models() -> None:
    skip_comment_parsing()
    defer_filters()


def _core(rooms: Sequence[str], builtin: EntryPoints) -> Plugin:
    """Return core as a plugin: its rooms declare what they bring through the same hooks as every other plugin."""
    found = {point.name: point for point in builtin}
    return Plugin(CORE, "comanda-core", _version("comanda-core"), tuple(found[name].load() for name in rooms))


def describe_start_without(
    plugins: Collection[str], disabled: Collection[str], points: Sequence[EntryPoint] | None = None
) -> str | None:
    """Return a sentence on how to start without one of some plugins and what depends on it; None if there is no way."""
    found = {point.name: _read_metadata(point) for point in (discover() if points is None else points)}
    choices = [name for name in dict.fromkeys(plugins) if name in found and name != CORE]
    if not choices:
        return None
    left_out = [",".join([*disabled, *_with_dependents(name, found, disabled)]) for name in choices]
    commands = " or ".join(f"COMANDA_DISABLED_PLUGINS={names} comanda run" for names in dict.fromkeys(left_out))
    return f"Start without {'it' if len(choices) == 1 else 'one of them'}: {commands}"


def _with_dependents(name: str, found: Mapping[str, _Installed], disabled: Collection[str]) -> list[str]:
    """Return a plugin and the enabled ones that need it, directly or not."""
    needs = {
        other: {requirement.name for requirement in each.requirements}
        for other, each in found.items()
        if other not in disabled
    }
    names = [name]
    for current in names:
        distribution = canonicalize_name(found[current].distribution)
        names += sorted(other for other, needed in needs.items() if distribution in needed and other not in names)
    return names


def _by_name(points: Iterable[EntryPoint], disabled: Collection[str]) -> dict[str, _Installed]:
    found: dict[str, _Installed] = {}
    for point in points:
        installed = _read_metadata(point)
        distribution = installed.distribution
        if point.name in disabled:
            found[point.name] = installed
            continue
        if not distribution:
            raise BrokenPlugin(f"Plugin {point.name} ({point.value}) belongs to no installed distribution.", point.name)
        if point.name == CORE:
            raise DuplicateRegistration(
                f"Distribution {distribution} names its plugin {CORE}, as core is named. "
                f"Start without it: pip uninstall {distribution}"
            )
        if not NAME.fullmatch(point.name):
            raise InvalidDeclaration(
                f"Distribution {distribution} names its plugin {point.name!r}; a name is lower-case letters, digits "
                "and underscores, for tables and settings begin with it.",
                point.name,
            )
        if point.name in found:
            other = found[point.name].distribution
            raise DuplicateRegistration(
                f"Distributions {other} and {distribution} both bring a plugin {point.name}.", point.name
            )
        found[point.name] = installed
    return found


def _read_metadata(point: EntryPoint) -> _Installed:
    if point.dist is None:
        return _Installed(point, "", "", ())
    metadata = point.dist.metadata
    lines = metadata.get_all("Requires-Dist") or point.dist.requires or []
    return _Installed(point, metadata["Name"], metadata["Version"], _parse_requirements(lines))


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
            raise BrokenPlugin(
                f"Plugin {plugin.name} ({plugin.distribution}): {_hook_problem(error)}", plugin.name
            ) from error
    return hooks


def _in_dependency_order(enabled: Mapping[str, _Installed], found: Mapping[str, _Installed]) -> list[str]:
    by_distribution: defaultdict[str, list[str]] = defaultdict(list)
    versions: dict[str, str] = {}
    for name, each in found.items():
        distribution = canonicalize_name(each.distribution)
        by_distribution[distribution].append(name)
        versions[distribution] = each.version
    # Most plugins require the same distributions, whose metadata takes a millisecond to find.
    find_version = cache(_find_version)
    graph: dict[str, list[str]] = {}
    for name, each in enabled.items():
        needed = [other for needs in each.requirements for other in by_distribution.get(needs.name, ())]
        _check_versions(name, each.requirements, versions, find_version)
        if missing := [other for other in needed if other not in enabled]:
            raise MissingDependency(f"Plugin {name} needs {', '.join(missing)}, which is disabled.", name)
        graph[name] = sorted(set(needed) - {name})
    try:
        return list(graphlib.TopologicalSorter(dict(sorted(graph.items()))).static_order())
    except graphlib.CycleError as error:
        raise MissingDependency(
            f"Plugins depend on each other in a circle: {' → '.join(error.args[1])}.", *dict.fromkeys(error.args[1])
        ) from error


def _check_versions(
    plugin: str,
    requirements: Sequence[Requirement],
    versions: Mapping[str, str],
    find_version: Callable[[str], str | None],
) -> None:
    """Check that what a plugin requires is installed, and core and other plugins in a version that it allows.

    Versions of other packages are the installer's business; `comanda doctor` checks them.
    """
    for requirement in requirements:
        installed = versions.get(requirement.name) or find_version(requirement.name)
        if installed is None:
            raise MissingDependency(f"Plugin {plugin} needs {requirement.name}, which is not installed.", plugin)
        is_ours = requirement.name in versions or requirement.name.startswith("comanda-")
        if is_ours and not _allows(requirement, installed):
            raise IncompatibleVersion(
                f"Plugin {plugin} needs {requirement.name}{requirement.specifier}, and {installed} is installed.",
                plugin,
            )


def _allows(requirement: Requirement, version: str) -> bool:
    try:
        return requirement.specifier.contains(version, prereleases=True)
    except InvalidVersion:
        return False


def _import(installed: _Installed) -> Plugin:
    name = installed.point.name
    try:
        module = installed.point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BrokenPlugin(
            f"Plugin {name} ({installed.distribution} {installed.version}) cannot be imported: {error!r}.", name
        ) from error
    return Plugin(name, installed.distribution, installed.version, (module,))


def _parse_requirements(lines: Iterable[str]) -> list[Requirement]:
    """Return what a distribution requires here, with normalized names; what an extra guards is optional."""
    found: list[Requirement] = []
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue  # not standard; installers ignore or interpret it
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            requirement.name = canonicalize_name(requirement.name)
            found.append(requirement)
    return found


def _find_version(distribution: str) -> str | None:
    try:
        return _version(distribution)
    except PackageNotFoundError:
        return None


def _version(distribution: str) -> str:
    return Distribution.from_name(distribution).version


def _hook_problem(error: pluggy.PluginValidationError) -> str:
    return str(error).replace("\n", " ")
