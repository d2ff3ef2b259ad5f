"""The pages on which a guest asks for the receipt of an order, or asks for its invoice and reads it."""

from typing import Final

from comanda.basics import Conflict, NotFound
from comanda.contracts import Pages, parse_id, to_wire
from comanda.web import store_guests
from quart import Blueprint, Response, abort, render_template, request

from comanda_invoices.pages.texts import get_texts
from comanda_invoices.records import OrderInvoice
from comanda_invoices.services import guest_invoices, receipts

blueprint: Final = Blueprint(
    "invoices", __name__, template_folder="templates", static_folder="static", static_url_path="/invoices/static"
)
GUEST_PATHS: Final = ("/invoice/", "/receipt/")
pages: Final = Pages(blueprint, secret_paths=GUEST_PATHS, guest_paths=GUEST_PATHS)

# The address gives access to the order: keep it out of caches, search engines and referrers.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}


@blueprint.get("/invoice/<token>")
async def show_invoice(token: str) -> Response:
    """Show the documents of an order, first the one that is asked for; or the form, while it has no invoice."""
    try:
        order = await guest_invoices.get_order(token)
        store = await store_guests.get_store(order.owner_id, order.store_id)
    except NotFound:
        abort(404)
    found = await guest_invoices.list_invoices(order)
    current = next((each for each in found if each.invoice_id is None and not each.is_cancelled), None)
    chosen = _choose(found, current)
    page = await render_template(
        "invoices/guest/invoice.html" if chosen else "invoices/guest/request.html",
        store=store,
        order=order,
        token=token,
        document=to_wire(OrderInvoice, chosen),
        others=[each for each in found if chosen is None or each.id != chosen.id],
        can_request=guest_invoices.can_request(order),
        **get_texts(),
    )
    return Response(page, headers=PRIVATE_HEADERS)


@blueprint.get("/receipt/<token>")
async def show_receipt_form(token: str) -> Response:
    """Show the form for the address that the receipt of an order is sent to, or that it was sent."""
    try:
        order = await receipts.get_order(token)
        store = await store_guests.get_store(order.owner_id, order.store_id)
    except (NotFound, Conflict):
        abort(404)
    page = await render_template(
        "invoices/guest/receipt.html", store=store, order=order, token=token, is_sent="sent" in request.args
    )
    return Response(page, headers=PRIVATE_HEADERS)


def _choose(found: list[OrderInvoice], current: OrderInvoice | None) -> OrderInvoice | None:
    asked = parse_id(request.args.get("document", ""))
    return next((each for each in found if each.id == asked), current)
