"""The payment page of an order."""

from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Pages
from comanda.platform import runtime
from quart import Blueprint, Response, abort, render_template, request

from comanda_payments.pages import guest_payments
from comanda_payments.pages.guest_payments import PayPageNotice

blueprint = Blueprint(
    "payments", __name__, template_folder="templates", static_folder="static", static_url_path="/payments/static"
)

pages = Pages(blueprint, secret_paths=("/pay/",), guest_paths=("/pay/",))

# The URL gives access to the order: keep it out of caches, search engines and referrers.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


@blueprint.get("/pay/<token>")
async def show_pay_page(token: str) -> Response:
    """Show the amount due, with a button that opens the provider's page."""
    try:
        view = await guest_payments.get_page_context(await guest_payments.get_guest_order(token))
    except NotFound:
        abort(404)
    notice = request.args.get("said")
    page = await render_template("payments/pay.html", **view, notice=notice if notice in set(PayPageNotice) else None)
    return Response(page, headers={**PRIVATE_HEADERS, "Content-Security-Policy": _get_content_security_policy()})


def _get_content_security_policy() -> str:
    """Return a policy that allows this host's files, and redirects of the form to the page of any provider."""
    providers = "https: http:" if runtime.settings().development else "https:"
    return (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action 'self' {providers}"
    )
