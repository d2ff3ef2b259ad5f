"""States of subscriptions and invoices in words, and periods."""

from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _

SUBSCRIPTION_LABELS: Final = {
    "trialing": (N_("Free trial"), "info"),
    "active": (N_("Active"), "good"),
    "past_due": (N_("Past due"), "bad"),
    "paused": (N_("Paused"), "warn"),
    "cancelled": (N_("Ends with its period"), "warn"),
    "expired": (N_("Ended"), "neutral"),
}
INVOICE_LABELS: Final = {
    "draft": (N_("Draft"), "neutral"),
    "open": (N_("Open"), "warn"),
    "paid": (N_("Paid"), "good"),
    "void": (N_("Void"), "neutral"),
    "uncollectible": (N_("Written off"), "bad"),
}
INTERVAL_LABELS: Final = {"month": N_("per month"), "year": N_("per year"), "30d": N_("every 30 days")}
COLLECTION_LABELS: Final = {"wallet": N_("From its wallet"), "manual": N_("By hand, such as a transfer")}
LIMIT_LABELS: Final = {
    "stores": N_("Stores"),
    "items": N_("Items"),
    "staff": N_("Staff"),
    "orders_per_month": N_("Orders per month"),
    "payment_fee": N_("Operator's fee of online payments, in hundredths of a percent"),
}


def list_labels() -> dict[str, Any]:
    """Return the labels and tones of states, for templates."""
    return {
        "subscription_labels": {key: (_(label), tone) for key, (label, tone) in SUBSCRIPTION_LABELS.items()},
        "invoice_labels": {key: (_(label), tone) for key, (label, tone) in INVOICE_LABELS.items()},
    }


def list_intervals() -> list[tuple[str, str]]:
    """List the intervals of plans with their labels."""
    return [(key, _(label)) for key, label in INTERVAL_LABELS.items()]


def list_collection_methods() -> list[tuple[str, str]]:
    """List how invoices are collected, with labels."""
    return [(key, _(label)) for key, label in COLLECTION_LABELS.items()]


def list_limits() -> list[tuple[str, str]]:
    """List the limits of plans with their labels."""
    return [(key, _(label)) for key, label in LIMIT_LABELS.items()]
