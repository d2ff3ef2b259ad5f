"""Entries of the navigation for resellers and their customers."""

from typing import Final

from comanda.contracts import Audience, Caller, NavigationEntry
from comanda.web import N_

from comanda_reseller.models import AccountModel
from comanda_reseller.services.memberships import find_reseller


async def is_reseller(caller: Caller) -> bool:
    """Return whether the caller's account is a reseller."""
    return await AccountModel.filter(owner_id=caller.owner_id, is_active=True).exists()


async def is_customer(caller: Caller) -> bool:
    """Return whether the caller's account is a reseller's customer."""
    return await find_reseller(caller) is not None


def _create_entry(label: str, path: str, icon: str, position: int) -> NavigationEntry:
    return NavigationEntry(
        label, path, "reseller", "restaurants:read", icon, position, is_for=is_reseller, audience=Audience.RESELLER
    )


ENTRIES: Final = (
    _create_entry(N_("Overview"), "/reseller", "chart", 10),
    _create_entry(N_("Customers"), "/reseller/customers", "people", 20),
    _create_entry(N_("Subscriptions"), "/reseller/subscriptions", "calendar", 30),
    _create_entry(N_("Plans"), "/reseller/plans", "list", 40),
    _create_entry(N_("Invoices"), "/reseller/invoices", "receipt", 50),
    _create_entry(N_("Fees"), "/reseller/platform-invoices", "cash", 60),
    NavigationEntry(N_("Subscription"), "/subscription", "account", "billing:read", "card", 50, is_for=is_customer),
)
