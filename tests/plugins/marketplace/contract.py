"""Paths and bodies of the marketplace's routes, for tests of every route."""

from base64 import b64encode

from comanda.platform.db import sql
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet
from photographs import picture

URI = "https://apps.example.com/callback"
WEBHOOK = "https://93.184.215.14/hook"
LINKS = {"website": "https://apps.example.com/"}


async def app(workshop, *_):
    return await workshop.post("/developer/apps", {"name": workshop.marker, "redirect_uris": [URI]})


async def screenshot(workshop, app_id):
    body = {"image_base64": b64encode(picture()).decode()}
    return await workshop.post(f"/developer/apps/{app_id}/screenshots", body)


async def installation(workshop, *_):
    app_id = await workshop.post(
        "/developer/apps",
        {"name": workshop.marker, "redirect_uris": [URI], "scopes": ["menu:read"], "billing": "usage", "price": 0.5},
    )
    client_row_id = await sql.fetch_value("SELECT client_row_id FROM marketplace_app WHERE id = $1", app_id)
    made = await oauth.install(workshop.owner.id, client_row_id, ["menu:read"], actor="test")
    return made.id


async def installed_app(workshop):
    """Install an app that the owner's wallet can pay, and return the headers of its token."""
    installation_id = await installation(workshop)
    await wallet.top_up(workshop.owner.id, 1000, f"contract-{installation_id}")
    token = await oauth.issue_access_token(workshop.owner.id, installation_id)
    workshop.holder_id = installation_id
    return {"Authorization": f"Bearer {token}"}


HOLDERS = {"app": installed_app}
FACTORIES = {
    "/developer/apps/{appId}": app,
    "/developer/apps/{appId}/screenshots/{screenshotId}": screenshot,
    "/apps/{appId}": app,
    "/app-installations/{id}": installation,
}
APP = {
    "name": "Stolen", "category": "loyalty", "scopes": ["menu:read"], "redirect_uris": [URI], "billing": "usage",
    "embed_url": "https://apps.example.com/", "webhook_url": WEBHOOK, "webhook_events": ["order.created"],
    "price": 0.25, "period_days": 30, "trial_days": 7, "tagline": "Stolen", "description": "Stolen", "links": LINKS,
    "contact_email": "thief@example.com",
}  # fmt: skip
BODIES = {
    "AppBody": APP,
    "AppChange": APP,
    "ScreenshotBody": {"image_base64": b64encode(picture()).decode(), "alt": "Stolen"},
    "InstallationChange": {"monthly_cap": 5},
    "UsageBody": {"quantity": 1, "ref": "a"},
}
