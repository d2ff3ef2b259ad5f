"""Handlers of the events of installations: terms, webhooks and features begin and end with them."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent
from comanda.platform.db import sql
from comanda_oauth import api as oauth

from comanda_marketplace.models import Billing
from comanda_marketplace.services.billing import subscriptions, terms
from comanda_marketplace.services.installations import app_webhooks


async def follow_installations(events: Sequence[StoredEvent]) -> None:
    """Bring the terms, webhooks and features of installations in line with what happened to them."""
    for event in events:
        installation = await oauth.find_installation(event.owner_id, int(str(event.data["installation_id"])))
        if installation is not None:
            await _follow(installation)


async def _follow(installation: oauth.Installation) -> None:
    row = await terms.ensure_terms(installation)
    if row is None:
        return
    if not installation.is_active:
        async with sql.transaction():
            locked = await terms.find_terms(row.owner_id, row.id, is_locked=True)
            if locked is not None:
                await terms.end_terms(locked, installation)
        return
    await app_webhooks.update_endpoint(await terms.get_app_row(row), installation)
    if row.billing == Billing.RECURRING and row.period_end is None:
        await subscriptions.charge_now(row.owner_id, row.id)
