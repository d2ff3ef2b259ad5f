"""What the pages of apps say about them: categories, states and prices in words."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from comanda.basics import get_exponent
from comanda.web import N_, format_money, format_number, ngettext
from comanda.web import gettext as _
from comanda_oauth import api as oauth

CATEGORY_LABELS: Final = {
    "accounting": N_("Accounting"),
    "analytics": N_("Analytics"),
    "delivery": N_("Delivery"),
    "inventory": N_("Inventory"),
    "loyalty": N_("Loyalty"),
    "marketing": N_("Marketing"),
    "operations": N_("Operations"),
    "staff": N_("Staff"),
    "other": N_("Other"),
}
STATUS_LABELS: Final = {
    "draft": (N_("Draft"), "neutral"),
    "submitted": (N_("Waiting for review"), "warn"),
    "in_review": (N_("In review"), "info"),
    "approved": (N_("Listed"), "good"),
    "rejected": (N_("Rejected"), "bad"),
    "delisted": (N_("Delisted"), "bad"),
}
BILLING_LABELS: Final = {
    "trialing": (N_("Free trial"), "info"),
    "active": (N_("Paid"), "good"),
    "past_due": (N_("Payment failed"), "bad"),
    "lapsed": (N_("Unpaid, switched off"), "bad"),
    "ended": (N_("Ended"), "neutral"),
}
LINK_LABELS: Final = {
    "website": N_("Website"),
    "support": N_("Support"),
    "documentation": N_("Documentation"),
    "privacy": N_("Privacy"),
    "terms": N_("Terms of use"),
}
BILLING_KIND_LABELS: Final = {
    "free": N_("Free"),
    "recurring": N_("A price per period"),
    "usage": N_("A price per unit that the app reports"),
}


def list_categories() -> list[tuple[str, str]]:
    """List the categories with their labels."""
    return [(name, _(label)) for name, label in CATEGORY_LABELS.items()]


def describe_category(name: str) -> str:
    """Return a category's label."""
    return _(CATEGORY_LABELS[name]) if name in CATEGORY_LABELS else name


def describe_status(status: str) -> tuple[str, str]:
    """Return the label and the tone of an app's state."""
    label, tone = STATUS_LABELS.get(status, (status, "neutral"))
    return _(label), tone


def describe_billing_status(status: str) -> tuple[str, str] | None:
    """Return the label and the tone of an installation's payments; None for an app without them."""
    if status not in BILLING_LABELS:
        return None
    label, tone = BILLING_LABELS[status]
    return _(label), tone


def describe_price(terms: Mapping[str, Any]) -> str:
    """Return what an app costs, such as €9.00 every 30 days."""
    price = format_price(terms["price"], terms["currency"])
    match terms["billing"]:
        case "recurring":
            days = terms["period_days"]
            return ngettext("%(price)s every day", "%(price)s every %(num)s days", days, price=price)
        case "usage":
            return _("%(price)s per unit", price=price)
        case _:
            return _("Free")


def describe_trial(billing: str, days: int) -> str:
    """Return how long a recurring app is free at the start, or an empty text."""
    return ngettext("%(num)s day free", "%(num)s days free", days) if billing == "recurring" and days else ""


def format_price(price: float | Decimal, currency: str) -> str:
    """Return a price with its currency; one per unit may have more decimals than the currency: 0.0025 EUR."""
    digits = len(f"{Decimal(str(price)).normalize():f}".partition(".")[2])
    if digits <= get_exponent(currency):
        return format_money(str(price), currency)
    return f"{format_number(str(price), digits)} {currency}"


def list_billing_kinds() -> list[tuple[str, str]]:
    """List the ways in which an app charges, with their labels."""
    return [(name, _(label)) for name, label in BILLING_KIND_LABELS.items()]


def list_scopes() -> list[tuple[str, str]]:
    """List the scopes that apps may ask for, with what they allow."""
    return [(scope, _(label)) for scope, label in oauth.SCOPE_LABELS.items()]


def describe_scopes(scopes: Sequence[str]) -> list[tuple[str, str]]:
    """Return scopes as the registry spells them, with what they allow; one that no app can ask for has its name."""
    return [
        (oauth.format_scopes([scope]), _(oauth.SCOPE_LABELS[scope])) if scope in oauth.SCOPE_LABELS else (scope, scope)
        for scope in scopes
    ]


def list_links(links: Mapping[str, str]) -> list[tuple[str, str]]:
    """List an app's links on the web as labels with addresses."""
    return [
        (_(label), links[name]) for name, label in LINK_LABELS.items() if links.get(name, "").startswith("https://")
    ]


def list_statuses() -> list[tuple[str, str]]:
    """List the states of apps with their labels."""
    return [(status, _(label)) for status, (label, _tone) in STATUS_LABELS.items()]
