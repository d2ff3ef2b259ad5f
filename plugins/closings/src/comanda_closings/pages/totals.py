"""The words with which pages show the totals of reports and closings."""

from typing import Any, Final

from comanda.platform import runtime
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit

# The rows of the table of figures: those that are taken off are shown negative, sums are strong.
FIGURES: Final = (
    ("gross_sales", N_("Gross sales"), 1, False),
    ("voids", N_("Voids"), -1, False),
    ("cancelled", N_("Cancelled orders"), -1, False),
    ("discounts", N_("Discounts"), -1, False),
    ("comps", N_("Comps"), -1, False),
    ("net_sales", N_("Net sales"), 1, True),
    ("service_charges", N_("Service charges"), 1, False),
    ("delivery_fees", N_("Delivery fees"), 1, False),
    ("other_charges", N_("Other charges"), 1, False),
    ("added_tax", N_("Tax added to prices"), 1, False),
    ("order_tips", N_("Tips on orders"), 1, False),
    ("sales_total", N_("Total of sales"), 1, True),
    ("payments", N_("Payments"), 1, False),
    ("payment_tips", N_("Tips on payments"), 1, False),
    ("rounding", N_("Cash rounding"), 1, False),
    ("collected", N_("Collected"), 1, True),
    ("refunds", N_("Refunds"), -1, True),
    ("prepayments", N_("Prepayments"), 1, False),
    ("prepaid_stays", N_("Prepaid stays"), 1, False),
    ("kept_deposits", N_("Kept deposits"), 1, False),
    ("drawer_differences", N_("Drawer differences"), 1, False),
)
# Shown even if they are 0.
ALWAYS_SHOWN: Final = frozenset({"gross_sales", "net_sales", "sales_total", "collected", "refunds"})
CHANNELS: Final = {
    "pos": N_("Till"),
    "storefront": N_("Storefront"),
    "customer_app": N_("Customer app"),
    "mcp": N_("AI agents"),
    "api": N_("API"),
    "demo": N_("Demo data"),
}
ACTORS: Final = {"owner": N_("Owner"), "staff": N_("Staff"), "app": N_("App")}


def list_texts(visit: Visit) -> dict[str, Any]:
    """Return the words that the tables of totals need."""
    registry = runtime.registry()
    return {
        "figure_rows": [(name, _(label), sign, is_sum) for name, label, sign, is_sum in FIGURES],
        "always_shown": ALWAYS_SHOWN,
        "methods": {code: _(method.label) for code, method in registry.payment_methods.items()},
        "types": {code: _(mode.label) for code, mode in registry.fulfillment_modes.items()},
        "channels": {code: _(label) for code, label in CHANNELS.items()},
        "get_actor": get_actor,
    }


def get_actor(actor: str | None, name: str | None = None) -> str:
    """Return who did something, such as ``Staff 12`` for ``staff:12`` without a name."""
    if name or actor is None:
        return name or _("Nobody of the staff")
    kind, _separator, number = actor.partition(":")
    label = _(ACTORS[kind]) if kind in ACTORS else kind.replace("_", " ").capitalize()
    return label if kind == "owner" else _("%(kind)s %(number)s", kind=label, number=number)
