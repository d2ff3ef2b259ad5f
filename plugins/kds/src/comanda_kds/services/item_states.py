"""The states of ticket items, and how they relate to the status of their order."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from comanda.contracts import Status

from comanda_kds.models import ItemState

STEPS: Final = tuple(ItemState)
NEXT_STATE: Final = dict(pairwise(STEPS))
PREVIOUS_STATE: Final = {after: before for before, after in pairwise(STEPS)}

# The state of lines that nobody has bumped yet. Lines of a cancelled order have none.
STATE_BY_STATUS: Final = {
    Status.NEW: ItemState.QUEUED,
    Status.PREPARING: ItemState.PREPARING,
    Status.READY: ItemState.READY,
    Status.DELIVERED: ItemState.SERVED,
    Status.COMPLETED: ItemState.SERVED,
}
# Orders of these modes are delivered once all items are served; others still have to be handed over.
ON_SITE_MODES: Final = frozenset({"on-table", "room_service"})
# Bump and recall never change these statuses.
FINAL_STATUSES: Final = frozenset({Status.CANCELLED, Status.COMPLETED})


def derive_order_status(states: Sequence[ItemState], mode: str) -> Status:
    """Return the status of an order of ``mode`` whose kitchen lines are in these states."""
    distinct_states = set(states)
    if distinct_states == {ItemState.QUEUED}:
        return Status.NEW
    if distinct_states == {ItemState.SERVED}:
        return Status.DELIVERED if mode in ON_SITE_MODES else Status.READY
    return Status.READY if distinct_states <= {ItemState.READY, ItemState.SERVED} else Status.PREPARING
