"""The blueprint of the pages: a store's menu, an order, and its event stream."""

from functools import partial
from typing import Final

from comanda.basics import NotFound, Unavailable, to_json
from comanda.contracts import API_PREFIX, Pages
from comanda.orders import find_guest_key, get_guest_order, queries
from comanda.platform.http import live_updates
from comanda.web import N_, get_store
from comanda.web import gettext as _
from quart import Blueprint, Response, abort, render_template, request

from comanda_storefront.pages.store import store_page, store_templates
from comanda_storefront.pages.store.manifest import to_manifest
from comanda_storefront.pages.store.store_page import RenderedPage
from comanda_storefront.pages.store.store_templates import Template
from comanda_storefront.pages.tracking import order_stream, order_tracking
from comanda_storefront.services import published_stores

blueprint = Blueprint(
    "storefront", __name__, template_folder="templates", static_folder="static", static_url_path="/storefront/static"
)

pages = Pages(
    blueprint,
    store_path="/s/{slug}",
    secret_paths=("/t/",),
    guest_paths=("/t/", f"{API_PREFIX}/menu/", f"{API_PREFIX}/track/"),
)

# An order's page is private: not cached, not indexed by search engines, and not sent as referrer to other sites.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


@blueprint.get("/s/<slug>")
async def show_store(slug: str) -> Response:
    """Return a store's first page: the menu, and a cart if the browser runs scripts."""
    return await _show(slug, store_templates.INDEX)


@blueprint.get("/s/<slug>.md")
async def show_store_text(slug: str) -> Response:
    """Return a store and its menu in Markdown, for programs that read pages."""
    try:
        return _to_response(await store_page.get_store_text(await published_stores.get_priced_store(slug)))
    except NotFound:
        abort(404)


@blueprint.get("/s/<slug>/manifest.webmanifest")
async def show_manifest(slug: str) -> Response:
    """Return the web manifest of a store's page."""
    try:
        document = to_manifest(await published_stores.get_published_store(slug))
    except NotFound:
        abort(404)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    return Response(to_json(document), content_type="application/manifest+json", headers=headers)


@blueprint.get("/s/<slug>/menu")
async def show_menu(slug: str) -> Response:
    """Return the page of all that a store sells."""
    return await _show(slug, store_templates.MENU)


@blueprint.get("/s/<slug>/categories/<int:category_id>")
async def show_category(slug: str, category_id: int) -> Response:
    """Return the page of a category."""
    return await _show(slug, store_templates.to_category_template(category_id))


@blueprint.get("/s/<slug>/items/<int:item_id>")
async def show_item(slug: str, item_id: int) -> Response:
    """Return the page of an item."""
    return await _show(slug, store_templates.to_item_template(item_id))


@blueprint.get("/s/<slug>/search")
async def show_search(slug: str) -> Response:
    """Return the items that contain the words of the parameter ``q``."""
    return await _show(slug, store_templates.to_search_template(request.args.get("q", "")))


@blueprint.get("/t/<token>")
async def show_order(token: str) -> Response:
    """Return an order's tracking page with its receipt."""
    try:
        view = await order_tracking.get_order_view(token)
    except queries.TrackingExpired as expired:
        return await _show_expired_order(expired)
    except NotFound:
        abort(404)
    return Response(await render_template("storefront/track.html", **view), headers=PRIVATE_HEADERS)


@blueprint.get("/t/worker.js")
async def get_push_worker() -> Response:
    """Return the service worker of push messages about orders, whose scope is its folder."""
    response = await blueprint.send_static_file("push_worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.get("/t/<token>/events")
async def stream_order(token: str) -> Response:
    """Return the progress of an order as a stream of server-sent events."""
    try:
        key = await find_guest_key(token)
        order = await get_guest_order(token)
        order_stream.watch.check_room(key)
    except NotFound:
        abort(404)
    except Unavailable as error:
        return Response(error.message, status=503, headers={**PRIVATE_HEADERS, **error.headers})
    render, known = partial(order_stream.get_progress_message, token), request.headers.get("Last-Event-ID")
    events = order_stream.watch.stream(key, render, known, store_id=order.store_id)
    return live_updates.stream_answer(events, PRIVATE_HEADERS)


async def _show_expired_order(expired: queries.TrackingExpired) -> Response:
    """Return a page that names the store of an order that can no longer be tracked, and nothing of the order."""
    store = await get_store(expired.owner_id, expired.store_id)
    page = await render_template(
        "comanda/problem.html",
        name=N_("This order is no longer available"),
        sentence=_("The page of an order is kept for %(days)s days after it has ended.", days=queries.TRACKED_DAYS),
        store=store if store.is_published else None,
    )
    return Response(page, status=404, headers=PRIVATE_HEADERS)


async def _show(slug: str, template: Template) -> Response:
    try:
        store = await published_stores.get_priced_store(slug, request.args.get("type"))
        if token := request.args.get("preview"):
            page = await store_page.get_preview_page(store, template, token)
            return Response(page.plain, status=page.status, mimetype="text/html", headers=_to_preview_headers(page))
        page = await store_page.get_store_page(store, template)
    except NotFound:
        abort(404)
    return _to_response(page)


def _to_preview_headers(page: RenderedPage) -> dict[str, str]:
    return {**PRIVATE_HEADERS, "Content-Security-Policy": page.policy, "X-Frame-Options": "SAMEORIGIN"}


def _to_response(page: RenderedPage) -> Response:
    headers = {
        "ETag": page.etag,
        "Cache-Control": "public, max-age=0, must-revalidate",
        "Vary": "Accept-Encoding, Accept-Language, Cookie",
        "Content-Security-Policy": page.policy,
    }
    if request.if_none_match.contains_weak(page.etag.removeprefix("W/").strip('"')):
        return Response(status=304, headers=headers)
    if request.accept_encodings.quality("gzip") > 0:
        compressed = {**headers, "Content-Encoding": "gzip"}
        return Response(page.gzipped, status=page.status, mimetype=page.mimetype, headers=compressed)
    return Response(page.plain, status=page.status, mimetype=page.mimetype, headers=headers)
