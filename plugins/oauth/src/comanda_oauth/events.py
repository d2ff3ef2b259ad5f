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


class AppInstalled(Event):
    """An owner granted a client access that had none. Not sent when the owner changes an existing grant."""

    name = "app.installed"
    scope = "restaurants:read"
    sample = {**SAMPLE, "installed_at": "2026-11-22T21:00:00+00:00"}

    installation_id: int
    owner_id: int
    client_row_id: int
    client_id: str
    app_name: Annotated[str, NotPersonal()]
    scopes: list[str]
    installed_at: datetime


class AppScopesChanged(Event):
    """An owner changed what a client may do, by consenting anew. Not sent when a client changes what it asks for."""

    name = "app.scopes_changed"
    scope = "restaurants:read"
    sample = {**SAMPLE, "previous_scopes": ["menu:read"], "changed_at": "2026-11-22T21:00:00+00:00"}

    installation_id: int
    owner_id: int
    client_row_id: int
    client_id: str
    app_name: Annotated[str, NotPersonal()]
    scopes: list[str]
    previous_scopes: list[str]
    changed_at: datetime


class AppUninstalled(Event):
    """A grant ended: its owner uninstalled the app, or its developer deleted it. All of its tokens are revoked.

    It holds every id that a receiver needs, because nobody can call back with the tokens of the installation.
    """

    name = "app.uninstalled"
    scope = "restaurants:read"
    sample = {**SAMPLE, "installed_at": "2026-11-01T09:00:00+00:00", "uninstalled_at": "2026-11-22T21:00:00+00:00"}

    installation_id: int
    owner_id: int
    client_row_id: int
    client_id: str
    app_name: Annotated[str, NotPersonal()]
    scopes: list[str]
    installed_at: datetime
    uninstalled_at: datetime
