"""The catalog of events that endpoints can subscribe to."""

import inspect
from functools import cache
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Event
from comanda.platform import runtime

from comanda_webhooks.records import CatalogEvent, EventCatalog

ALL_EVENTS = "*"

# The events of the specification. Endpoints may subscribe to all of them whichever plugins are installed, so that the
# same client configuration works everywhere.
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


def get_subscribable_events() -> frozenset[str]:
    """Return the names of the events that an endpoint may subscribe to."""
    return SPECIFIED_EVENTS | runtime.registry().events.keys()


def list_events(group: str | None = None) -> EventCatalog:
    """Return all groups, and the events of one group or of all, by name.

    ``group`` is ``order`` or ``order.*``; ``*`` means all. Raises ``NotFound`` for a group without events.
    """
    known = runtime.registry().events
    groups = sorted({_get_group(name) for name in known})
    wanted_group = None if group in {None, ALL_EVENTS} else str(group).removesuffix(".*")
    if wanted_group is not None and wanted_group not in groups:
        raise NotFound(f"This installation has no events in that group. Available groups: {', '.join(groups)}.")
    names = [name for name in sorted(known) if wanted_group in {None, _get_group(name)}]
    return EventCatalog(groups, [_to_catalog_event(known[name]) for name in names])


def _get_group(name: str) -> str:
    # An event without a dot in its name forms its own group.
    return name.partition(".")[0]


@cache  # A schema takes some milliseconds to generate.
def _to_catalog_event(event: type[Event]) -> CatalogEvent:
    return CatalogEvent(
        name=event.name,
        group=_get_group(event.name),
        scope=event.scope,
        description=inspect.getdoc(event) or event.name,
        data_schema=event.model_json_schema(mode="serialization", by_alias=True),
        sample=event.sample,
    )
