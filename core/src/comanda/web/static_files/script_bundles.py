"""Bundles of scripts: the modules that a script imports from its own folder, directly or not, as one file.

``url_for("….static", filename="shop.bundle/shop.js")`` is ``shop.js`` with all of them. A script that the
bundle imports later, such as ``import("./item_dialog.js")``, is found beside it, as ``shop.bundle/item_dialog.js``: it
takes from the bundle what is in the bundle, so that each module runs once.

Modules are written as all scripts of pages: an import or export begins a line, and names what it takes or gives.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from comanda.basics.startup_errors import StartupError

BUNDLED_NAME: Final = re.compile(r"(\w+)\.bundle/(\w+)\.js", re.ASCII)
IMPORT: Final = re.compile(r'^import (?:(?:\* as (\w+)|(\{[^}]*\})) from )?"([^"]+)";$', re.ASCII | re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.ASCII | re.MULTILINE)
# A form that is not understood.
OTHER: Final = re.compile(r"^(?:(?:import|export)\b(?!\().*|.*\b(?:await import|import\.meta)\b.*)$", re.MULTILINE)
SIBLING: Final = re.compile(r"\./(\w+)\.js", re.ASCII)


class BundleError(StartupError):
    """A script cannot be a part of a bundle."""


def build_script(folder: Path, entry: str, name: str) -> str:
    """Return the bundle of the script ``entry``, or a script that is imported from it later.

    Raises ``FileNotFoundError``, and ``BundleError`` for modules that import each other in a circle or are written in
    another way.
    """
    modules = list(_list_modules(folder, entry))
    if name not in modules:
        bundled = frozenset(modules)
        return IMPORT.sub(lambda found: _import_from_bundle(found, entry, bundled), _read(folder, name))
    outside: dict[str, str] = {}
    parts = [_wrap(folder, module, outside) for module in modules]
    imports = [f'import * as {variable} from "{path}";' for path, variable in outside.items()]
    exports = f"export {{ {', '.join(map(_to_variable, modules))} }};"
    return "\n".join([*imports, *parts, exports, ""])


def _list_modules(folder: Path, entry: str) -> Iterator[str]:
    """List the modules of a bundle, each after those that it imports, as a browser runs them."""
    done: list[str] = []
    open_modules: list[str] = []

    def visit(name: str) -> None:
        if name in open_modules:
            raise BundleError(f"Scripts import each other in a circle: {' → '.join([*open_modules, name])}.")
        if name in done:
            return
        open_modules.append(name)
        for found in IMPORT.finditer(_read(folder, name)):
            if sibling := SIBLING.fullmatch(found[3]):
                visit(sibling[1])
        open_modules.pop()
        done.append(name)

    visit(entry)
    yield from done


def _wrap(folder: Path, name: str, outside: dict[str, str]) -> str:
    """Return a module as a value with what it exports."""
    text = _read(folder, name)
    exported = EXPORT.findall(text)

    def take(found: re.Match[str]) -> str:
        sibling = SIBLING.fullmatch(found[3])
        variable = _to_variable(sibling[1]) if sibling else outside.setdefault(found[3], _to_variable(found[3]))
        return _take(found, variable)

    body = EXPORT.sub("", IMPORT.sub(take, text))
    if problem := OTHER.search(body):
        raise BundleError(f"{name}.js cannot be bundled, because of this line: {problem[0]}")
    return f"const {_to_variable(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _import_from_bundle(found: re.Match[str], entry: str, bundled: frozenset[str]) -> str:
    sibling = SIBLING.fullmatch(found[3])
    if sibling is None or sibling[1] not in bundled:
        return found[0]
    variable = _to_variable(sibling[1])
    return f'import {{ {variable} }} from "./{entry}.js"; {_take(found, variable)}'


def _take(found: re.Match[str], variable: str) -> str:
    """Return the statement that gives the names of an import their values."""
    namespace, names = found[1], found[2]
    if namespace:
        return f"const {namespace} = {variable};"
    return f"const {names.replace(' as ', ': ')} = {variable};" if names else ""


def _to_variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def _read(folder: Path, name: str) -> str:
    return (folder / f"{name}.js").read_text(encoding="utf-8")
