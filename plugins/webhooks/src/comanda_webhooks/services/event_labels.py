"""What events mean, in words for owners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _

GROUP_LABELS: Final[Mapping[str, str]] = {
    "order": N_("Orders"),
    "refund": N_("Refunds"),
    "menu": N_("Menu"),
    "store": N_("Stores"),
    "customer": N_("Customers"),
    "reservation": N_("Reservations"),
    "shift": N_("Cash drawer shifts"),
    "driver_cash": N_("Cash of drivers"),
    "entitlement": N_("Features of your plan"),
    "subscription": N_("Subscriptions"),
    "wallet": N_("Wallet"),
    "app": N_("Apps"),
    "webhook_endpoint": N_("Webhooks themselves"),
}
EVENT_LABELS: Final[Mapping[str, str]] = {
    "order.created": N_("An order was placed"),
    "order.status_changed": N_("The status of an order changed"),
    "order.amended": N_("Items, discounts or the table of an order changed"),
    "order.paid": N_("An order was paid in full"),
    "order.charge_added": N_("A charge was added to an order"),
    "order.driver_assigned": N_("A driver was assigned"),
    "order.out_for_delivery": N_("A driver is on the way"),
    "order.delivered": N_("A delivery arrived"),
    "order.delivery_failed": N_("A delivery could not be completed"),
    "refund.completed": N_("A refund is complete"),
    "menu.updated": N_("The menu changed"),
    "store.intake_changed": N_("A store was paused, or takes orders again"),
    "customer.created": N_("A customer was added"),
    "customer.erased": N_("A customer's personal data was erased"),
    "reservation.created": N_("A table or a stay was reserved"),
    "reservation.cancelled": N_("A reservation was cancelled"),
    "shift.opened": N_("A cash drawer was opened"),
    "shift.closed": N_("A cash drawer was counted and closed"),
    "driver_cash.handed_in": N_("A driver handed in cash"),
    "entitlement.changed": N_("A feature was gained or lost"),
    "subscription.paused": N_("A subscription was paused"),
    "subscription.resumed": N_("A subscription runs again"),
    "subscription.renewed": N_("A subscription was renewed"),
    "subscription.expired": N_("A subscription ended"),
    "subscription.expiring": N_("A subscription ends soon"),
    "subscription.plan_changed": N_("A plan was changed"),
    "subscription.past_due": N_("A payment of a subscription failed"),
    "subscription.trial_ending": N_("A trial ends soon"),
    "wallet.low_balance": N_("The wallet's balance is low"),
    "app.installed": N_("An app was installed"),
    "app.scopes_changed": N_("The permissions of an app changed"),
    "app.uninstalled": N_("An app was uninstalled"),
    "app.data_erasure": N_("An app must erase its data"),
    "webhook_endpoint.failing": N_("An endpoint keeps failing"),
    "webhook_endpoint.disabled": N_("An endpoint was disabled"),
    "ping": N_("A test"),
}


@dataclass(frozen=True, slots=True)
class EventChoice:
    """An event or a pattern that an endpoint may subscribe to."""

    pattern: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class EventGroup:
    """Events about one thing; ``every`` subscribes to all of them, also to those that come later."""

    label: str
    every: EventChoice
    events: list[EventChoice]


def describe_event(name: str, description: str = "") -> str:
    """Return what an event means; for one that is not known here, the first sentence of its description."""
    if label := EVENT_LABELS.get(name):
        return _(label)
    return description.partition(". ")[0].rstrip(".").replace("`", "") or name


def list_groups(catalog: Mapping[str, Any], chosen: Sequence[str]) -> list[EventGroup]:
    """List the events of a catalog by group, the groups of known things first."""
    known = list(GROUP_LABELS)
    names = [name for name in catalog["groups"] if any("." in event["name"] for event in _of(catalog, name))]
    ordered = sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))
    return [_to_group(name, _of(catalog, name), chosen) for name in ordered]


def _of(catalog: Mapping[str, Any], group: str) -> list[Any]:
    return [event for event in catalog["events"] if event["group"] == group]


def _to_group(name: str, events: Sequence[Any], chosen: Sequence[str]) -> EventGroup:
    pattern = f"{name}.*"
    choices = [
        EventChoice(event["name"], describe_event(event["name"], event["description"]), event["name"] in chosen)
        for event in events
    ]
    label = _(GROUP_LABELS[name]) if name in GROUP_LABELS else name.replace("_", " ").capitalize()
    every = EventChoice(pattern, _("All of these, also later ones"), pattern in chosen)
    return EventGroup(label, every, choices)
