"""The states of ticket items, and how they relate to the status of their order."""

from collections.abc import Iterable, Sequence
from typing import Final

from comanda.contracts import Status

from comanda_kds.models import ItemState

STATES: Final = tuple(ItemState)
# What a course has nothing left to make of.
MADE_STATES: Final = frozenset({ItemState.READY, ItemState.SERVED})

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


def get_next_state(state: ItemState, bumps: int) -> ItemState | None:
    """Return the state after a bump, None for a served item. With one bump an item is ready at once."""
    return _find_state(STATES[STATES.index(state) + 1 :], bumps)


def get_previous_state(state: ItemState, bumps: int) -> ItemState | None:
    """Return the state after a recall, None for a queued item."""
    return _find_state(reversed(STATES[: STATES.index(state)]), bumps)


def _find_state(states: Iterable[ItemState], bumps: int) -> ItemState | None:
    return next((state for state in states if bumps > 1 or state is not ItemState.PREPARING), None)


def derive_order_status(states: Sequence[ItemState], mode: str) -> Status:
    """Return the status of an order of ``mode`` whose kitchen lines are in these states."""
    distinct_states = set(states)
    if distinct_states == {ItemState.QUEUED}:
        return Status.NEW
    if distinct_states == {ItemState.SERVED}:
        return Status.DELIVERED if mode in ON_SITE_MODES else Status.READY
    return Status.READY if distinct_states <= {ItemState.READY, ItemState.SERVED} else Status.PREPARING
