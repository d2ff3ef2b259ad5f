"""Ids in request bodies that name another plugin's rows, such as a kitchen's stations or a store's customers.

A plugin whose rows others name declares a ``Reference``; the plugin whose body holds the id checks it with ``check``,
without knowing who declared it. An id of another owner or store is refused like one that nobody has.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from comanda import runtime
from comanda.errors import ValidationFailed


@dataclass(frozen=True, slots=True)
class Reference:
    """What an id stands for, such as ``customer``, and how to find the rows that exist.

    ``existing`` takes an owner's id, a store's and ids, and returns those of the ids that the store has.
    """

    name: str
    existing: Callable[[int, int, Collection[int]], Awaitable[Collection[int]]]


async def check_references(name: str, field: str, owner_id: int, store_id: int, ids: Collection[int]) -> None:
    """Raise ``ValidationFailed`` on ``field`` unless the store has a row of this name for every id.

    Where no installed plugin declares ``name`` there are no such rows.
    """
    wanted = set(ids)
    if not wanted:
        return
    reference = runtime.registry().references.get(name)
    found = set(await reference.existing(owner_id, store_id, wanted)) if reference is not None else set()
    if missing := sorted(wanted - found):
        raise ValidationFailed({field: [f"This store has no {name} {', '.join(map(str, missing))}."]})
