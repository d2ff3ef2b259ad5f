"""The page and the PDF of an invoice, at a signed link or for the signed-in account that it concerns."""

from typing import Final
from urllib.parse import urlencode

from comanda.basics import NotFound
from comanda.contracts import MAX_ID
from comanda.web import require_session
from quart import Response, abort, render_template, request

from comanda_reseller.records.invoices import Invoice
from comanda_reseller.services.invoices import invoice_views

# The address gives access to the invoice: keep it out of caches, search engines and referrers.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}
LINK_ARGUMENTS: Final = ("expires", "signature")


async def show_invoice(invoice_id: int) -> Response:
    """Show an invoice, with a link to its PDF."""
    invoice = await _find_invoice(invoice_id)
    link = {name: request.args[name] for name in LINK_ARGUMENTS if name in request.args}
    page = await render_template(
        "reseller/invoice.html",
        document=await invoice_views.load_document(invoice),
        pdf_path=f"{invoice_views.get_page_path(invoice_id)}.pdf" + (f"?{urlencode(link)}" if link else ""),
    )
    return Response(page, headers=PRIVATE_HEADERS)


async def show_invoice_pdf(invoice_id: int) -> Response:
    answer = await invoice_views.render_answer(await _find_invoice(invoice_id))
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


async def _find_invoice(invoice_id: int) -> Invoice:
    """Return the invoice of a link, or else that of the signed-in account; answer 404, or with the sign-in page."""
    if invoice_id > MAX_ID:
        abort(404)
    try:
        if "signature" in request.args:
            expires, signature = (request.args.get(name, "") for name in LINK_ARGUMENTS)
            return await invoice_views.find_linked_invoice(invoice_id, expires, signature)
        session = await require_session()
        return await invoice_views.get_invoice_of(session.caller, invoice_id)
    except NotFound:
        abort(404)
