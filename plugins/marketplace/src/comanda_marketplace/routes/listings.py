"""Routes for owners to find apps, and the public files of screenshots."""

from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.paging import Page, PageRequest, RecordPage
from comanda.contracts.routes import PUBLIC, Routes
from comanda.contracts.wire import flatten
from comanda.http.answers import matches_etag

from comanda_marketplace.records.apps import ListedApp
from comanda_marketplace.schemas.apps import ListedAppOut, ListingQuery
from comanda_marketplace.services import listings, screenshots
from comanda_marketplace.services.screenshot_urls import PREFIX

WEBP: Final = "image/webp"
FILE_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}

routes = Routes("Apps")
files = Routes("App screenshots", callers=PUBLIC, prefix=PREFIX, is_documented=False)


@routes.get("/apps", scope="apps:read", answers=Page[ListedAppOut])
async def list_listed_apps(caller: Caller, query: ListingQuery, page: PageRequest) -> RecordPage[dict[str, Any]]:
    """List the apps of the marketplace, newest first, 20 per page; filter by ``search`` and ``category``."""
    found = await listings.list_apps(caller, query, page)
    return page.of([_to_out(app) for app in found.data], found.total)


@routes.get("/apps/{appId}", scope="apps:read", answers=ListedAppOut)
async def get_listed_app(caller: Caller, app_id: int) -> dict[str, Any]:
    """Get an app that is listed, that you have registered, or that you have installed."""
    return _to_out(await listings.get_app(caller, app_id))


@files.get("/{appId}/{name}", cors=True, answers=bytes, content_types=(WEBP,))
async def get_screenshot(call: Call, app_id: int, name: str) -> Answer:
    """Return one size of a screenshot. The content of an address never changes, so it can be cached for a year."""
    content = await screenshots.read_public_file(app_id, name)
    headers = {**FILE_HEADERS, "ETag": f'"{name.removesuffix(".webp")}"'}
    if matches_etag(headers["ETag"], call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(content, content_type=WEBP, headers=headers)


def _to_out(listed: ListedApp) -> dict[str, Any]:
    shown = flatten(listed, "app") | {
        "is_embedded": listed.app.embed_url is not None,
        "authorization_url": listings.to_authorization_url(listed.app),
    }
    return ListedAppOut.model_validate(shown, from_attributes=True).model_dump()
