"""The events of installations."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from comanda.contracts import Event, NotPersonal

SAMPLE: Mapping[str, object] = {
    "installation_id": 31,
    "owner_id": 12,
    "client_row_id": 7,
    "client_id": "5f0c2f3cbb4f4f0d8f7f6c0a3f1b9e21",
    "app_name": "Loyalty Cards",
    "scopes": ["menu:read", "orders:read"],
}


class _InstallationEvent(Event):
    scope = "restaurants:read"

    installation_id: int
    owner_id: int
    client_row_id: int
    client_id: str
    app_name: Annotated[str, NotPersonal()]
    scopes: list[str]


class AppInstalled(_InstallationEvent):
    """An owner granted a client access that had none. Not sent when the owner changes an existing grant."""

    name = "app.installed"
    sample = {**SAMPLE, "installed_at": "2026-11-22T21:00:00+00:00"}

    installed_at: datetime


class AppScopesChanged(_InstallationEvent):
    """An owner changed what a client may do, by consenting anew. Not sent when a client changes what it asks for."""

    name = "app.scopes_changed"
    sample = {**SAMPLE, "previous_scopes": ["menu:read"], "changed_at": "2026-11-22T21:00:00+00:00"}

    previous_scopes: list[str]
    changed_at: datetime


class AppUninstalled(_InstallationEvent):
    """A grant ended: its owner uninstalled the app, or its developer deleted it. All of its tokens are revoked.

    It holds every id that a receiver needs, because nobody can call back with the tokens of the installation.
    """

    name = "app.uninstalled"
    sample = {**SAMPLE, "installed_at": "2026-11-01T09:00:00+00:00", "uninstalled_at": "2026-11-22T21:00:00+00:00"}

    installed_at: datetime
    uninstalled_at: datetime
