"""Names of categories of systems in which these lie within each other."""

from collections.abc import Iterable, Mapping
from typing import Final

NO_CATEGORY: Final = "Menu"


def name_categories(paths: Iterable[tuple[str, ...]]) -> Mapping[tuple[str, ...], str]:
    """Return a name for each path: its last part, or all of them where several paths end alike."""
    found = dict.fromkeys(paths)
    ends: dict[str, set[tuple[str, ...]]] = {}
    for path in found:
        ends.setdefault(path[-1].casefold(), set()).add(tuple(part.casefold() for part in path))
    return {path: path[-1] if len(ends[path[-1].casefold()]) == 1 else ": ".join(path) for path in found}
