"""Words of orders as people read them: types, stages, methods, and the next step of an order."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import FulfillmentMode, PaymentStatus, Status
from comanda.platform import runtime
from comanda.web import N_, gettext
from comanda.web.dashboard import DashboardStore

STATUSES: Final = {
    Status.NEW: N_("New"),
    Status.PREPARING: N_("Preparing"),
    Status.READY: N_("Ready"),
    Status.DELIVERED: N_("Handed over"),
    Status.COMPLETED: N_("Completed"),
    Status.CANCELLED: N_("Cancelled"),
}
# What people do next with an order of a status: the status that follows, and the label of the button.
NEXT_STEPS: Final[Mapping[str, tuple[Status, str]]] = {
    Status.NEW: (Status.PREPARING, N_("Start preparing")),
    Status.PREPARING: (Status.READY, N_("Mark ready")),
    Status.READY: (Status.DELIVERED, N_("Hand over")),
    Status.DELIVERED: (Status.COMPLETED, N_("Complete")),
}
PAYMENT_STATUSES: Final = {
    PaymentStatus.UNPAID: N_("Unpaid"),
    PaymentStatus.PARTIALLY_PAID: N_("Partially paid"),
    PaymentStatus.PAID: N_("Paid"),
    PaymentStatus.PARTIALLY_REFUNDED: N_("Partially refunded"),
    PaymentStatus.REFUNDED: N_("Refunded"),
}
PAYMENT_TONES: Final = {"paid": "good", "unpaid": "warn", "partially_paid": "warn"}
FIELDS: Final = {
    "status": N_("Status"),
    "delivery_status": N_("Delivery"),
    "payment_status": N_("Payment"),
    "charge": N_("Charge"),
    "charges": N_("Charge"),
}
ACTORS: Final = {
    "owner": N_("Owner"),
    "staff": N_("Staff"),
    "driver": N_("Driver"),
    "customer": N_("Customer"),
    "storefront": N_("Storefront"),
    "app": N_("App"),
}


def list_modes(store: DashboardStore) -> list[FulfillmentMode]:
    """List the types of order that a store takes; none if the plugin of its type is not installed."""
    registry = runtime.registry()
    vertical = registry.verticals.get(store.store_type)
    return [] if vertical is None else [registry.fulfillment_modes[code] for code in vertical.fulfillment_modes]


def list_types(store: DashboardStore) -> Mapping[str, str]:
    """Return the labels of a store's types of order by their codes."""
    return {mode.code: gettext(mode.label) for mode in list_modes(store)}


def translate(labels: Mapping[Any, str]) -> dict[str, str]:
    """Return labels in the reader's language."""
    return {str(code): gettext(label) for code, label in labels.items()}


def get_next_step(status: str) -> tuple[str, str] | None:
    """Return the status that follows and the label of its button; None at the end."""
    found = NEXT_STEPS.get(status)
    return None if found is None else (found[0].value, gettext(found[1]))


def get_actor(actor: str) -> str:
    """Return who made a change, such as ``Owner`` for ``owner:12``."""
    kind = actor.partition(":")[0]
    return gettext(ACTORS[kind]) if kind in ACTORS else kind.replace("_", " ").capitalize()


def list_status_tabs(base: str, current: str, counts: Mapping[str, int]) -> Sequence[tuple[str, str, bool]]:
    """Return the tabs of the list by status, each with its address."""
    tabs = [(gettext("All"), base, current == "")]
    for status, label in STATUSES.items():
        number = counts.get(status.value, 0)
        text = f"{gettext(label)} ({number})" if status.is_open and number else gettext(label)
        tabs.append((text, f"{base}?status={status.value}", current == status.value))
    return tabs
