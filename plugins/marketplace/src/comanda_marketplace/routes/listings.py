"""Routes for owners to find apps, and the public files of screenshots."""

from typing import Final

from comanda.contracts import PUBLIC, Answer, Call, Caller, PageRequest, RecordPage, Routes
from comanda.platform.http import matches_etag

from comanda_marketplace.records import ListedApp
from comanda_marketplace.schemas import ListingQuery
from comanda_marketplace.services.listings import listings, screenshots
from comanda_marketplace.services.listings.screenshot_urls import PREFIX

WEBP: Final = "image/webp"
FILE_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}

routes = Routes("Apps")
files = Routes("App screenshots", callers=PUBLIC, prefix=PREFIX, is_documented=False)


@routes.get("/apps", scope="apps:read")
async def list_listed_apps(caller: Caller, query: ListingQuery, page: PageRequest) -> RecordPage[ListedApp]:
    """List the apps of the marketplace, newest first, 20 per page; filter by ``search`` and ``category``."""
    return await listings.list_apps(caller, query, page)


@routes.get("/apps/{appId}", scope="apps:read")
async def get_listed_app(caller: Caller, app_id: int) -> ListedApp:
    """Get an app that is listed, that you have registered, or that you have installed."""
    return await listings.get_app(caller, app_id)


@files.get("/{appId}/{name}", cors=True, answers=bytes, content_types=(WEBP,))
async def get_screenshot(call: Call, app_id: int, name: str) -> Answer:
    """Return one size of a screenshot. The content of an address never changes, so it can be cached for a year."""
    content = await screenshots.read_public_file(app_id, name)
    headers = {**FILE_HEADERS, "ETag": f'"{name.removesuffix(".webp")}"'}
    if matches_etag(headers["ETag"], call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(content, content_type=WEBP, headers=headers)
