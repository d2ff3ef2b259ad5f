"""The page on which somebody pays for an order."""

from typing import Final
from urllib.parse import urlsplit

from comanda.contracts.pages import Pages
from comanda.errors import NotFound
from quart import Blueprint, Response, abort, render_template, request

from comanda_payments import settings
from comanda_payments.pages import guests
from comanda_payments.pages.guests import Said

blueprint = Blueprint(
    "payments", __name__, template_folder="templates", static_folder="static", static_url_path="/payments/static"
)

pages = Pages(blueprint)

# An order is its holder's alone: no cache keeps it, no search engine lists it, no other site is told its address.
PRIVATE: Final = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}


@blueprint.get("/pay/<token>")
async def pay(token: str) -> Response:
    """Show what is left to pay, with a button that leads to a provider's page."""
    try:
        view = await guests.view(await guests.find(token))
    except NotFound:
        abort(404)
    said = request.args.get("said")
    page = await render_template("payments/pay.html", **view, said=said if said in set(Said) else None)
    return Response(page, headers={**PRIVATE, "Content-Security-Policy": _policy()})


def _policy() -> str:
    """Allow this host's files, and a form that is led on to wherever the provider's pages are."""
    gateway = urlsplit(settings.current().gateway_url)
    return (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action 'self' https: {gateway.scheme}://{gateway.netloc}"
    )
