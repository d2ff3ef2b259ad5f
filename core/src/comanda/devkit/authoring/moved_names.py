"""Public names that moved after a release, old to new, so that a plugin can be moved to this version.

``comanda plugins check`` names them, ``--fix`` replaces them, and docs/upgrading.md lists them. A name that is not
listed moved with its module.
"""

from collections.abc import Mapping
from typing import Final

MOVED_MODULES: Final[Mapping[str, str]] = {}
MOVED_NAMES: Final[Mapping[str, str]] = {}
# Of these more than the name is new, so that nobody can rewrite them but the author.
REDESIGNED: Final[set[str]] = set()


def find_moved(module: str, name: str | None) -> str | None:
    """Return where a module, or a name of it, is now, or None if it has not moved."""
    if name is None:
        return MOVED_MODULES.get(module)
    full = f"{module}.{name}"
    if new := MOVED_NAMES.get(full) or MOVED_MODULES.get(full):
        return new
    moved = MOVED_MODULES.get(module)
    return f"{moved}.{name}" if moved else None
