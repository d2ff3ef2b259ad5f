"""Entries of the navigation for the pages of apps."""

from typing import Final

from comanda.contracts.dashboard import Audience, NavigationEntry
from comanda.web.translations import N_

ENTRIES: Final = (
    NavigationEntry(N_("App directory"), "/apps", "channels", "apps:read", icon="apps", position=60),
    NavigationEntry(N_("Installed apps"), "/apps/installed", "channels", "apps:read", icon="code", position=70),
    NavigationEntry(
        N_("Your apps"), "/developer/apps", "developer", "apps:read", icon="code", audience=Audience.DEVELOPER,
    ),
    NavigationEntry(
        N_("Review of apps"), "/administration/apps", "administration", icon="check", position=15,
        audience=Audience.ADMINISTRATOR,
    ),
)  # fmt: skip
