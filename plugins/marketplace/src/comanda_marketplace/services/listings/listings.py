"""The marketplace, as owners see it: listed apps, and those of their own."""

from dataclasses import fields
from typing import Final
from urllib.parse import urlencode

from comanda.basics import NotFound, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_oauth import api as oauth

from comanda_marketplace.models import AppStatus, Installation
from comanda_marketplace.records import App, AppProfile, ListedApp, RequestedScope
from comanda_marketplace.schemas import ListingQuery
from comanda_marketplace.services.apps import app_rows
from comanda_marketplace.services.apps.owner_contacts import list_contacts

# Apps of all developers. A developer sees the own ones before they are listed too, to install them for tests.
LISTED: Final = """
    FROM marketplace_app a JOIN core_owner_v1 o ON o.id = a.owner_id
    WHERE a.status = 'approved' AND NOT o.is_suspended
        AND ($1::text IS NULL OR a.category = $1)
        AND ($2::text IS NULL OR position(lower($2) IN lower(a.name || ' ' || a.tagline)) > 0)
"""
SELECT_LISTED: Final = f"SELECT a.id {LISTED} ORDER BY a.id DESC OFFSET $3 LIMIT $4"
COUNT_LISTED: Final = f"SELECT count(*) {LISTED}"


async def list_apps(caller: Caller, query: ListingQuery, page: PageRequest) -> RecordPage[ListedApp]:
    """Return a page of the listed apps, newest first."""
    filters = (query.category, query.search or None)
    ids = [row["id"] for row in await sql.fetch(SELECT_LISTED, *filters, page.offset(), page.size())]
    rows = await app_rows.list_rows(ids)
    apps = await app_rows.load_apps([rows[id] for id in ids])
    return page.of(await _to_listed(caller, apps), await sql.fetch_value(COUNT_LISTED, *filters))


async def get_app(caller: Caller, app_id: int) -> ListedApp:
    """Return an app that is listed, one's own, or installed. Raises ``NotFound`` for any other."""
    row = require_found(await app_rows.find_row(app_id))
    [listed] = await _to_listed(caller, [await app_rows.load_app(row)])
    is_visible = (
        row.status == AppStatus.APPROVED or row.owner_id == caller.owner_id or listed.installation_id is not None
    )
    if not is_visible:
        raise NotFound
    return listed


async def _to_listed(caller: Caller, apps: list[App]) -> list[ListedApp]:
    ids = [app.id for app in apps]
    installed = await Installation.filter(owner_id=caller.owner_id, app_id__in=ids, uninstalled_at=None)
    installation_ids = {row.app_id: row.id for row in installed}
    developers = await list_contacts([app.developer_id for app in apps])
    return [
        ListedApp(
            **{each.name: getattr(app, each.name) for each in fields(AppProfile)},
            developer=developers[app.developer_id].name,
            requested_scopes=[
                RequestedScope(oauth.format_scopes([scope]), oauth.SCOPE_LABELS[scope]) for scope in app.scopes
            ],
            is_embedded=app.embed_url is not None,
            authorization_url=_to_authorization_url(app),
            installation_id=installation_ids.get(app.id),
        )
        for app in apps
    ]


def _to_authorization_url(app: App) -> str:
    """Return the page that asks an owner for consent, and then leads to the app's first redirect address."""
    query = {"response_type": "code", "client_id": app.client_id, "scope": oauth.format_scopes(app.scopes)}
    if app.redirect_uris:
        query["redirect_uri"] = app.redirect_uris[0]
    return f"{runtime.settings().site_url}/oauth/authorize?{urlencode(query)}"
