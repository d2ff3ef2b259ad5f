"""The public packages of Comanda: what a plugin may import.

Each lists what it exports in the stub beside its ``__init__.py``. These names are the contract, and if one of them is
a module, its names that do not begin with an underscore. Everything else may change in any release. Of other plugins,
the module ``api`` is public, to plugins that name them as a dependency.
"""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

CORE = Path(__file__).parents[2]


@cache
def list_packages() -> Mapping[str, Mapping[str, str]]:
    """Return the names that each public package exports, and where they are defined."""
    packages = {"comanda": {"hookimpl": "comanda.hookimpl"}}
    for stub in sorted(CORE.rglob("__init__.pyi")):
        package = ".".join(("comanda", *stub.parent.relative_to(CORE).parts))
        packages[package] = {
            alias.name: ".".join(filter(None, (package, node.module, alias.name)))
            for node in ast.parse(stub.read_text(encoding="utf-8")).body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
    return packages


@cache
def _list_exports() -> Mapping[str, str]:
    return {home: f"{package}.{name}" for package, names in list_packages().items() for name, home in names.items()}


def find_export(dotted: str) -> str | None:
    """Return as what a package exports something, by the module that defines it, or None if none does."""
    return _list_exports().get(dotted)


def is_public(dotted: str) -> bool:
    """Return whether a plugin may import a package, or a name of a package."""
    package, _, name = dotted.rpartition(".")
    return dotted in list_packages() or name in list_packages().get(package, {})
