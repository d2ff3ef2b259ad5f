"""Entries of the navigation for the pages of entitlements."""

from typing import Final

from comanda.contracts import NavigationEntry
from comanda.web import N_

ENTRIES: Final = (
    NavigationEntry(N_("Plan and limits"), "/entitlements", "account", "entitlements:read", icon="flag", position=45),
)
