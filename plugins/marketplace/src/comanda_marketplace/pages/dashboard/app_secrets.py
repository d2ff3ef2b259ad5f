"""Secrets of a developer's app: replaced, and shown once."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import Audience
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.developer_apps import APP, WRITE

SECRETS: Final = "/developer/apps/<int:app_id>/secrets"

# What each secret is called and what it is for, by its name in the API.
SECRET_TEXTS: Final = {
    "client_secret": (N_("Client secret"), N_("Your program sends it with the client ID to get access tokens.")),
    "webhook_secret": (
        N_("Signing secret of webhooks"),
        N_("Your program checks with it that webhooks come from here."),
    ),
}


@dashboard.get(SECRETS, scope=WRITE, audience=Audience.DEVELOPER, step_up=True)
async def show_secrets(visit: Visit, app_id: int) -> Response:
    """Show the client ID, and what replacing a secret does; the secrets themselves are not shown again."""
    return await visit.render("marketplace/dashboard/app_secrets.html", app=await visit.api.get(APP, appId=app_id))


@dashboard.post(f"{SECRETS}/client", scope=WRITE, audience=Audience.DEVELOPER, step_up=True)
async def rotate_client_secret(visit: Visit, app_id: int) -> Response:
    """Replace the client secret and show the new one, this once."""
    return await _rotate(visit, app_id, f"{APP}/rotate-secret", "client_secret")


@dashboard.post(f"{SECRETS}/webhook", scope=WRITE, audience=Audience.DEVELOPER, step_up=True)
async def rotate_webhook_secret(visit: Visit, app_id: int) -> Response:
    """Replace the signing secret of webhooks and show the new one, this once."""
    return await _rotate(visit, app_id, f"{APP}/rotate-webhook-secret", "webhook_secret")


async def render_secrets(
    visit: Visit, app: Mapping[str, Any], secrets: Mapping[str, str], old_until: str | None = None
) -> Response:
    """Show new secrets of an app, this once, and until when those that they replace are valid."""
    shown = [(_(SECRET_TEXTS[name][0]), secret, _(SECRET_TEXTS[name][1])) for name, secret in secrets.items()]
    return await visit.render("marketplace/dashboard/new_secrets.html", app=app, secrets=shown, old_until=old_until)


async def _rotate(visit: Visit, app_id: int, path: str, name: str) -> Response:
    rotated = await visit.api.post(path, appId=app_id)
    app = await visit.api.get(APP, appId=app_id)
    return await render_secrets(visit, app, {name: rotated["secret"]}, rotated["old_secret_expires_at"])
