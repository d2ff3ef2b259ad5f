"""Rules for imports: public packages of Comanda, ``api`` modules of required plugins, and the layers of a plugin."""

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec

from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.moved_names import MOVED_MODULES, MOVED_NAMES, REDESIGNED, find_moved
from comanda.devkit.authoring.public import find_export, is_public
from comanda.devkit.authoring.source import PluginSource, SourceModule, normalize_name

# Outer modules of a plugin call inner modules, never the reverse.
OUTER = frozenset({"plugin", "routes", "tools", "tasks", "commands", "pages"})
INNER = frozenset({"services", "models", "schemas", "records", "events", "errors", "settings", "client", "api"})
THIN = frozenset({"routes", "tools"})
DOTTED = re.compile(r"\bcomanda(?:\.\w+)+")


def check_imports(source: PluginSource) -> Iterator[Finding]:
    """Check every import of the package, and look for moved names in it, in its tests and in the manifest."""
    for module in source.modules:
        for node, target, name in _list_imports(module):
            if found := _check_import(source, module, target, name):
                yield Finding(str(module.path), node.lineno, *found)
    for module in (*source.modules, *source.test_modules):
        for number, target, name in _list_uses(module):
            if found := _check_moved(target, name):
                yield Finding(str(module.path), number, *found)
    for number, line in enumerate(source.manifest_lines, 1):
        for match in DOTTED.finditer(line):
            if found := _check_moved(match[0], None):
                yield Finding(str(source.manifest), number, *found)


def _list_uses(module: SourceModule) -> Iterator[tuple[int, str, str | None]]:
    """Yield what may be a moved name: the line, the module, and the name in it."""
    for node, target, name in _list_imports(module):
        yield node.lineno, target, name
    for use, target in _list_attributes(module):
        # Where the module has moved, its import says so, and what is new in it need not be said again.
        if target not in MOVED_MODULES or f"{target}.{use.attr}" in MOVED_NAMES:
            yield use.lineno, target, use.attr
    for text in module.nodes:
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and DOTTED.fullmatch(text.value):
            if text.value in MOVED_MODULES:
                yield text.lineno, text.value, None
            elif text.value in MOVED_NAMES:
                place, _, name = text.value.rpartition(".")
                yield text.lineno, place, name


def _list_imports(module: SourceModule) -> Iterator[tuple[ast.stmt, str, str | None]]:
    """Yield each import: the statement, the module, and the imported name."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name, None
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_inner = node.module.partition(".")[0] == "comanda" and is_module(inner)
                yield (node, inner, None) if is_inner else (node, node.module, alias.name)


def _list_attributes(module: SourceModule) -> Iterator[tuple[ast.Attribute, str]]:
    """Yield each use of a name of a module of Comanda as an attribute: that, and the module."""
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in module.nodes
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "comanda"
        for alias in node.names
        if (full := f"{node.module}.{alias.name}") in MOVED_MODULES or is_module(full)
    }
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield node, modules[node.value.id]


def is_module(dotted: str) -> bool:
    """Return whether there is a module of this name."""
    try:
        return find_spec(dotted) is not None
    except (ImportError, ValueError):
        return False


def _check_import(source: PluginSource, module: SourceModule, target: str, name: str | None) -> tuple[str, str] | None:
    top = target.partition(".")[0]
    if top == source.package:
        return _check_layers(source, module, target, name)
    if top == "comanda":
        return _check_core_import(module, target, name)
    if top == "comanda_migrations":
        # A plugin that works on the tables of others, such as that of clusters, depends on the package.
        is_declared = source.root.name == top or normalize_name(top) in source.requirements
        return None if is_declared else ("migrations-import", f"It imports {target}.")
    if top.startswith("comanda_"):
        return _check_plugin_import(source, top, target, name)
    return None


def _check_core_import(module: SourceModule, target: str, name: str | None) -> tuple[str, str] | None:
    if find_moved(target, name):
        return None  # which is checked for tests, too
    if name is not None and name.startswith("_"):
        return "private-name", f"{name} is {target}'s own."
    full = f"{target}.{name}" if name else target
    if not is_public(full):
        package, _, exported = (find_export(full) or find_export(target) or "").rpartition(".")
        return "public-import", f"{full} is private{f': from {package} import {exported}' if package else ''}."
    if full == "comanda.platform.db.sql" and module.steps[0] in THIN:
        return "layers", f"A module of {module.steps[0]} talks to the database."
    return None


def _check_moved(target: str, name: str | None) -> tuple[str, str] | None:
    new = find_moved(target, name)
    if new is None:
        return None
    old = f"{target}.{name}" if name else target
    if old in REDESIGNED:
        return "redesigned-name", f"{old} was redesigned; {new} takes its place, and is used in another way."
    return "moved-name", f"{old} is now {new}."


def _check_plugin_import(source: PluginSource, top: str, target: str, name: str | None) -> tuple[str, str] | None:
    if target != f"{top}.api" and (target, name) != (top, "api"):
        return "plugin-import", f"It imports {target}, which is {top}'s own."
    if normalize_name(top) not in source.requirements:
        return "undeclared-plugin", f"It imports {top}.api, and does not depend on {normalize_name(top)}."
    return None


def _check_layers(source: PluginSource, module: SourceModule, target: str, name: str | None) -> tuple[str, str] | None:
    steps = target.split(".")[1:]
    wanted = steps[0] if steps else name
    if module.steps[0] in INNER and wanted in OUTER:
        return "layers", f"{module.steps[0]} imports {wanted}."
    return None
