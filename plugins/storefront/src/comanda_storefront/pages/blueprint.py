"""The blueprint of the pages: a store's menu, an order, and its event stream."""

from functools import partial
from typing import Final

from comanda.contracts.pages import Pages
from comanda.errors import NotFound, Unavailable
from comanda.http import live_updates
from comanda.orders import queries
from comanda.orders.track_tokens import find_track_key
from quart import Blueprint, Response, abort, render_template, request

from comanda_storefront.pages import order_stream, order_tracking, store_page
from comanda_storefront.pages.store_page import RenderedPage

blueprint = Blueprint(
    "storefront", __name__, template_folder="templates", static_folder="static", static_url_path="/storefront/static"
)

pages = Pages(blueprint, store_path="/s/{slug}", secret_paths=("/t/",))

# An order's page is private: not cached, not indexed by search engines, and not sent as referrer to other sites.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


@blueprint.after_request
async def revalidate_static_files(response: Response) -> Response:
    """Set static files to be revalidated, because a page and its scripts must be of the same release."""
    if request.endpoint == "storefront.static":
        response.headers["Cache-Control"] = "no-cache"
        response.headers.pop("Expires", None)
    return response


@blueprint.get("/s/<slug>")
async def show_store(slug: str) -> Response:
    """Return a store's page: the menu, and a cart if the browser runs scripts."""
    try:
        page = await store_page.get_store_page(await store_page.get_published_store(slug))
    except NotFound:
        abort(404)
    return _to_response(page)


@blueprint.get("/t/<token>")
async def show_order(token: str) -> Response:
    """Return an order's tracking page with its receipt."""
    try:
        view = await order_tracking.get_order_view(token)
    except NotFound:
        abort(404)
    return Response(await render_template("storefront/track.html", **view), headers=PRIVATE_HEADERS)


@blueprint.get("/t/<token>/events")
async def stream_order(token: str) -> Response:
    """Return the progress of an order as a stream of server-sent events."""
    try:
        key = await find_track_key(token)
        await queries.get_tracking(token)
        order_stream.watch.check_room(key)
    except NotFound:
        abort(404)
    except Unavailable as error:
        return Response(error.message, status=503, headers={**PRIVATE_HEADERS, **error.headers})
    known = request.headers.get("Last-Event-ID")
    return live_updates.stream_answer(
        order_stream.watch.stream(key, partial(order_stream.get_progress_message, token), known), PRIVATE_HEADERS
    )


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
        return Response(page.gzipped, mimetype="text/html", headers={**headers, "Content-Encoding": "gzip"})
    return Response(page.plain, mimetype="text/html", headers=headers)
