"""Entries of the navigation for resellers and their customers."""

from typing import Final

from comanda.contracts import Audience, NavigationEntry
from comanda.web import N_

from comanda_reseller.services.customers import own_subscription

IS_RESELLER: Final = "SELECT FROM reseller_account WHERE owner_id = $1 AND is_active"


def _create_entry(label: str, path: str, icon: str, position: int) -> NavigationEntry:
    return NavigationEntry(
        label, path, "reseller", "restaurants:read", icon, position, is_for=IS_RESELLER, audience=Audience.RESELLER
    )


ENTRIES: Final = (
    _create_entry(N_("Overview"), "/reseller", "chart", 10),
    _create_entry(N_("Customers"), "/reseller/customers", "people", 20),
    _create_entry(N_("Subscriptions"), "/reseller/subscriptions", "calendar", 30),
    _create_entry(N_("Plans"), "/reseller/plans", "list", 40),
    _create_entry(N_("Invoices"), "/reseller/invoices", "receipt", 50),
    _create_entry(N_("Fees"), "/reseller/platform-invoices", "cash", 60),
    _create_entry(N_("Settings"), "/reseller/settings", "settings", 70),
    NavigationEntry(
        N_("Subscription"),
        "/subscription",
        "account",
        "billing:read",
        "card",
        50,
        is_for=own_subscription.SELECT_RESELLER,
    ),
)
