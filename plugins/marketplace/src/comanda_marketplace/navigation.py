"""Entries of the navigation for the pages of apps."""

from typing import Final

from comanda.contracts import Audience, NavigationEntry
from comanda.web import N_

# Others find the page from the app directory.
IS_DEVELOPER: Final = "SELECT FROM marketplace_app WHERE owner_id = $1"

ENTRIES: Final = (
    NavigationEntry(N_("App directory"), "/apps", "channels", "apps:read", icon="apps", position=60),
    NavigationEntry(N_("Installed apps"), "/apps/installed", "channels", "apps:read", icon="code", position=70),
    NavigationEntry(
        N_("Your apps"), "/developer/apps", "developer", "apps:read", icon="bolt", position=10,
        is_for=IS_DEVELOPER, audience=Audience.DEVELOPER,
    ),
    NavigationEntry(
        N_("Review of apps"), "/administration/apps", "administration", icon="check", position=15,
        audience=Audience.ADMINISTRATOR,
    ),
)  # fmt: skip
