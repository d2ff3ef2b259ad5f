"""The webhooks of apps: an endpoint of the plugin webhooks for each installation, within its scopes."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import NotFound, clock
from comanda.platform.db import sql
from comanda_oauth import api as oauth
from comanda_oauth.api import Installation
from comanda_webhooks import api as webhooks

from comanda_marketplace import models
from comanda_marketplace.models import App
from comanda_marketplace.services.installations.webhook_secrets import get_secret, list_old_secrets

PLUGIN: Final = "marketplace"
# An app hears of its own installation alone, and of that in messages to its own endpoint.
EXCLUDED_EVENTS: Final = ("app.*", "webhook_endpoint.*")
SELECT_INSTALLATIONS: Final = """
    SELECT id, owner_id FROM marketplace_installation WHERE app_id = $1 AND uninstalled_at IS NULL ORDER BY id
"""


async def create_endpoint(app: App, installation: Installation) -> None:
    """Create the endpoint of an installation, if the app receives webhooks."""
    if app.webhook_url:
        await webhooks.create_plugin_endpoint(installation.owner_id, _to_endpoint(app, installation))


async def update_endpoint(app: App, installation: Installation) -> None:
    """Bring the endpoint of an installation in line with its scopes and with the app."""
    if not app.webhook_url:
        await webhooks.delete_plugin_endpoint(installation.owner_id, PLUGIN, installation.id)
        return
    endpoint = _to_endpoint(app, installation)
    await webhooks.create_plugin_endpoint(installation.owner_id, endpoint)
    await webhooks.update_plugin_endpoint(installation.owner_id, endpoint)


async def update_endpoints(app: App) -> None:
    """Bring the endpoints of all installations in line with the app, in the open transaction."""
    for row in await sql.fetch(SELECT_INSTALLATIONS, app.id):
        installation = await oauth.find_installation(row["owner_id"], row["id"])
        if installation is not None and installation.is_active:
            await update_endpoint(app, installation)


async def send_last_event(row: models.Installation, name: str, data: Mapping[str, Any]) -> None:
    """Send the app that an installation ended, after which it receives no events of the owner."""
    event = webhooks.PluginEvent(name, data, clock.now(), is_last=True)
    try:
        await webhooks.send_plugin_event(row.owner_id, PLUGIN, row.id, event)
    except NotFound:
        return  # the app has no address for webhooks


async def delete_endpoint(row: models.Installation) -> None:
    """Delete the endpoint of an installation with its secrets."""
    await webhooks.delete_plugin_endpoint(row.owner_id, PLUGIN, row.id)


def _to_endpoint(app: App, installation: Installation) -> webhooks.NewPluginEndpoint:
    return webhooks.NewPluginEndpoint(
        plugin=PLUGIN,
        reference=installation.id,
        url=app.webhook_url or "",
        events=app.webhook_events,
        excluded_events=EXCLUDED_EVENTS,
        scopes=installation.scopes,
        secret=get_secret(app),
        old_secrets=list_old_secrets(app, clock.now()),
        name_key="type",
    )
