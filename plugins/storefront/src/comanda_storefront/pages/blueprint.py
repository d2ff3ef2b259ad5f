"""The pages' addresses: a store's menu, an order, and the events of an order."""

from functools import partial
from typing import Final

from comanda.contracts.pages import Pages
from comanda.errors import NotFound, Unavailable
from comanda.http import live_updates
from comanda.orders import queries
from quart import Blueprint, Response, abort, render_template, request

from comanda_storefront.pages import following, shops, tracked
from comanda_storefront.pages.shops import Sheet

blueprint = Blueprint(
    "storefront", __name__, template_folder="templates", static_folder="static", static_url_path="/storefront/static"
)

pages = Pages(blueprint)

# An order is its holder's alone: no cache keeps it, no search engine lists it, no other site is told its address.
PRIVATE: Final = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}


@blueprint.after_request
async def ask_again(response: Response) -> Response:
    """Have browsers ask whether their files are current, for a page and its scripts must be of one release."""
    if request.endpoint == "storefront.static":
        response.headers["Cache-Control"] = "no-cache"
        response.headers.pop("Expires", None)
    return response


@blueprint.get("/s/<slug>")
async def shop(slug: str) -> Response:
    """Show a store's menu to its guests, with a cart for those whose browser runs scripts."""
    try:
        sheet = await shops.sheet(await shops.find(slug))
    except NotFound:
        abort(404)
    return _sent(sheet)


@blueprint.get("/t/<token>")
async def track(token: str) -> Response:
    """Show how an order is coming along, and its receipt."""
    try:
        view = await tracked.order_view(token)
    except NotFound:
        abort(404)
    return Response(await render_template("storefront/track.html", **view), headers=PRIVATE)


@blueprint.get("/t/<token>/events")
async def events(token: str) -> Response:
    """Stream the progress of an order as server-sent events."""
    try:
        track_hash = tracked.digest(token)
        await queries.get_tracking(token)
        following.watch.check_room(track_hash)
    except NotFound:
        abort(404)
    except Unavailable as error:
        return Response(error.message, status=503, headers={**PRIVATE, **error.headers})
    known = request.headers.get("Last-Event-ID")
    return live_updates.stream_answer(
        following.watch.stream(track_hash, partial(following.progress, token), known), PRIVATE
    )


def _sent(sheet: Sheet) -> Response:
    headers = {
        "ETag": sheet.etag,
        "Cache-Control": "public, max-age=0, must-revalidate",
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": sheet.policy,
    }
    if request.if_none_match.contains_weak(sheet.etag.removeprefix("W/").strip('"')):
        return Response(status=304, headers=headers)
    if request.accept_encodings.quality("gzip") > 0:
        return Response(sheet.gzipped, mimetype="text/html", headers={**headers, "Content-Encoding": "gzip"})
    return Response(sheet.plain, mimetype="text/html", headers=headers)
