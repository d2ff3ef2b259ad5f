"""Entries of the navigation for the pages of apps."""

from typing import Final

from comanda.contracts import Audience, Caller, NavigationEntry
from comanda.web import N_

from comanda_marketplace.services import apps


async def is_developer(caller: Caller) -> bool:
    """Return whether the caller has registered an app; others find the page from the app directory."""
    return await apps.has_apps(caller)


ENTRIES: Final = (
    NavigationEntry(N_("App directory"), "/apps", "channels", "apps:read", icon="apps", position=60),
    NavigationEntry(N_("Installed apps"), "/apps/installed", "channels", "apps:read", icon="code", position=70),
    NavigationEntry(
        N_("Your apps"), "/developer/apps", "developer", "apps:read", icon="bolt", position=10,
        is_for=is_developer, audience=Audience.DEVELOPER,
    ),
    NavigationEntry(
        N_("Review of apps"), "/administration/apps", "administration", icon="check", position=15,
        audience=Audience.ADMINISTRATOR,
    ),
)  # fmt: skip
