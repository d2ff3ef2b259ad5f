"""Entries of the navigation for the pages of this plugin."""

from typing import Final

from comanda.contracts import Audience, NavigationEntry
from comanda.web import N_

ENTRIES: Final = (
    NavigationEntry(N_("Today"), "/stores/{store_id}", "today", icon="home", position=10),
    NavigationEntry(N_("Orders"), "/stores/{store_id}/orders", "orders", "orders:read", icon="receipt", position=10),
    NavigationEntry(
        N_("Live board"), "/stores/{store_id}/orders/board", "orders", "orders:read", icon="board", position=20
    ),
    NavigationEntry(N_("Menu"), "/stores/{store_id}/menu", "menu", "menu:read", icon="book", position=10),
    NavigationEntry(
        N_("Price lists"), "/stores/{store_id}/menu/price-lists", "menu", "menu:read", icon="percent", position=15
    ),
    NavigationEntry(
        N_("Settings"), "/stores/{store_id}/settings", "settings", "restaurants:read", icon="settings", position=10
    ),
    NavigationEntry(N_("New store"), "/stores/new", "settings", "restaurants:write", icon="plus", position=90),
    NavigationEntry(N_("Account"), "/account", "account", icon="person", position=10),
    NavigationEntry(N_("Access tokens"), "/tokens", "account", "tokens:read", icon="key", position=20),
    NavigationEntry(N_("Audit log"), "/audit-log", "account", "restaurants:read", icon="list", position=30),
    NavigationEntry(
        N_("Owners"), "/administration/owners", "administration", icon="people", position=10,
        audience=Audience.ADMINISTRATOR,
    ),
    NavigationEntry(
        N_("System"), "/administration/system", "administration", icon="box", position=20,
        audience=Audience.ADMINISTRATOR,
    ),
    NavigationEntry(
        N_("Queues"), "/administration/queues", "administration", icon="list", position=25,
        audience=Audience.ADMINISTRATOR,
    ),
    NavigationEntry(
        N_("Effective settings"), "/administration/settings", "administration", icon="settings", position=30,
        audience=Audience.ADMINISTRATOR,
    ),
)  # fmt: skip
