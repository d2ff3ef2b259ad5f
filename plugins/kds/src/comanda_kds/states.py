"""The states of what is being made, and how they and the status of their order follow each other."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from comanda.contracts.order_status import Status


class ItemState(StrEnum):
    """How far the kitchen is with one line of an order."""

    QUEUED = "queued"
    PREPARING = "preparing"
    READY = "ready"
    SERVED = "served"


STEPS: Final = tuple(ItemState)
NEXT: Final = dict(pairwise(STEPS))
PREVIOUS: Final = {after: before for before, after in pairwise(STEPS)}

# What lines are that nobody has bumped yet. Those of a cancelled order are nothing to the kitchen.
OF_STATUS: Final = {
    Status.NEW: ItemState.QUEUED,
    Status.PREPARING: ItemState.PREPARING,
    Status.READY: ItemState.READY,
    Status.DELIVERED: ItemState.SERVED,
    Status.COMPLETED: ItemState.SERVED,
}
# An order that is over, for the kitchen.
OVER: Final = frozenset({Status.DELIVERED, Status.COMPLETED})
# Where nothing is left to be done once all is served. Elsewhere somebody still hands the order over.
SERVED_IN_THE_HOUSE: Final = frozenset({"on-table", "room_service"})
# The kitchen does not bring these back, whatever becomes of their lines.
SETTLED: Final = frozenset({Status.CANCELLED, Status.COMPLETED})


def status_of(states: Sequence[ItemState], mode: str) -> Status:
    """Return the status of an order of ``mode`` whose lines, those that the kitchen makes, are in these states."""
    found = set(states)
    if found == {ItemState.QUEUED}:
        return Status.NEW
    if found == {ItemState.SERVED}:
        return Status.DELIVERED if mode in SERVED_IN_THE_HOUSE else Status.READY
    return Status.READY if found <= {ItemState.READY, ItemState.SERVED} else Status.PREPARING
