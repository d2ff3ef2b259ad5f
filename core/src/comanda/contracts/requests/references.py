"""References: ids of a plugin's rows in the request bodies of other plugins."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """What an id stands for, such as ``customer``, and how to find the rows that exist.

    ``existing`` takes an owner's id, a store's and ids, and returns those of the ids that the store has.
    """

    name: str
    existing: Callable[[int, int, Collection[int]], Awaitable[Collection[int]]]
