"""The names of the people behind writes, as the kinds of their tokens know them."""

from collections import defaultdict
from collections.abc import Iterable

from comanda.platform import runtime


async def load_actor_names(owner_id: int, actors: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """Return the names of actors, by kind and id; those that nobody knows any more are left out."""
    ids_by_kind: defaultdict[str, set[int]] = defaultdict(set)
    for code, actor_id in actors:
        ids_by_kind[code].add(actor_id)
    found: dict[tuple[str, int], str] = {}
    for code, ids in ids_by_kind.items():
        kind = runtime.registry().caller_kinds.get(code)
        if kind is not None and kind.names is not None:
            names = await kind.names(owner_id, sorted(ids))
            found |= {(code, id): name for id, name in names.items()}
    return found
