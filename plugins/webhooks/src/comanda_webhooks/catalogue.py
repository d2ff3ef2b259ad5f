"""The events that this installation announces, for whoever wants to hear them."""

import inspect
from collections.abc import Mapping
from typing import Any, Final

from comanda import runtime
from comanda.contracts.events import Event
from comanda.errors import NotFound

ALL = "*"

# The events of the specification. Endpoints may subscribe to all of them whichever plugins are installed, so that a
# client's configuration holds everywhere; what is never announced here is never sent.
SPECIFIED_EVENTS: Final = frozenset(
    {
        *(f"order.{fact}" for fact in ("created", "status_changed", "paid", "driver_assigned", "out_for_delivery")),
        *("order.delivered", "order.delivery_failed", "refund.completed"),
        *("reservation.created", "reservation.cancelled", "customer.created", "shift.opened", "shift.closed"),
        *("menu.updated", "entitlement.changed", "app.uninstalled", "ping"),
        *(f"subscription.{fact}" for fact in ("paused", "resumed", "renewed", "expired", "plan_changed", "past_due")),
        *("subscription.expiring", "subscription.trial_ending"),
    }
)


def subscribable_events() -> frozenset[str]:
    """Return the names that an endpoint may subscribe to."""
    return SPECIFIED_EVENTS | runtime.registry().events.keys()


def events(group: str | None = None) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the groups, and the events of one or of all by name, as an endpoint would subscribe to them.

    ``group`` is ``order`` or ``order.*``; ``*`` means all. Raises ``NotFound`` for one that has no event.
    """
    known = runtime.registry().events
    groups = sorted({_group(name) for name in known})
    wanted = None if group in {None, ALL} else str(group).removesuffix(".*")
    if wanted is not None and wanted not in groups:
        raise NotFound(f"No event of this installation is in that group. There are: {', '.join(groups)}.")
    return groups, [_record(known[name]) for name in sorted(known) if wanted in {None, _group(name)}]


def _group(name: str) -> str:
    # An event without a dot in its name is a group of its own.
    return name.partition(".")[0]


def _record(event: type[Event]) -> dict[str, Any]:
    sample: Mapping[str, object] = event.sample
    return {
        "name": event.name,
        "group": _group(event.name),
        "scope": event.scope,
        "description": inspect.getdoc(event) or event.name,
        "data_schema": event.model_json_schema(mode="serialization", by_alias=True),
        "sample": dict(sample),
    }
