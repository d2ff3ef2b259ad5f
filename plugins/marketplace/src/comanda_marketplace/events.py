"""The events of the marketplace."""

from datetime import datetime

from comanda.contracts import Event


class AppDataErasure(Event):
    """An app must erase what it has of an owner: 48 hours after it was uninstalled, unless it was installed again.

    Sent to the app's own endpoint alone, where it is the only message after ``app.uninstalled``.
    """

    name = "app.data_erasure"
    scope = "apps:read"
    sample = {"installation_id": 31, "app_id": 7, "owner_id": 12, "uninstalled_at": "2026-11-22T21:00:00+00:00"}

    installation_id: int
    app_id: int
    owner_id: int
    uninstalled_at: datetime
