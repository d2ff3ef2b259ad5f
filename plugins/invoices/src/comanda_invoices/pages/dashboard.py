"""Invoices in the dashboard: the list, one document, and those of an order."""

from typing import Any, Final

from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_invoices.pages.texts import get_texts

dashboard: Final = DashboardPages("invoices", __name__)

ORDER: Final = "/restaurants/{id}/orders/{orderId}"
INVOICES: Final = "/restaurants/{id}/invoices"
INVOICE: Final = f"{INVOICES}/{{documentId}}"
ISSUE: Final = f"{ORDER}/invoice"
CANCEL: Final = f"{INVOICE}/cancel"
NAVIGATION: Final = (
    NavigationEntry(N_("Invoices"), "/stores/{store_id}/invoices", "reports", "orders:read", icon="file", position=18),
)
# What the services may answer, for translation.
SENTENCES: Final = (
    N_("Enter the legal name and the address in the settings of the store, under Invoices."),
    N_("This order was cancelled."),
    N_("This order is not paid yet."),
    N_("This order was refunded."),
    N_("This invoice is cancelled already."),
)


@dashboard.get("/stores/<int:store_id>/invoices", scope="orders:read")
async def list_invoices(visit: Visit, store_id: int) -> Response:
    """List invoices and credit notes, or those of a month."""
    filters = visit.query("month")
    found = await visit.api.get(INVOICES, id=store_id, query={**filters, **visit.query("page")})
    return await visit.render("invoices/dashboard/invoices.html", invoices=found, filters=filters, **get_texts())


@dashboard.get("/stores/<int:store_id>/invoices.csv", scope="orders:read")
async def export_invoices(visit: Visit, store_id: int) -> Response:
    """Send the list for spreadsheets."""
    answer = await visit.api.send("GET", f"{INVOICES}/export", query=visit.query("month"), id=store_id)
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


@dashboard.get("/stores/<int:store_id>/invoices/<int:document_id>", scope="orders:read")
async def show_invoice(visit: Visit, store_id: int, document_id: int) -> Response:
    """Show a document, with the form that cancels an invoice."""
    return await _render_invoice(visit, document_id, visit.form("POST", CANCEL))


@dashboard.post("/stores/<int:store_id>/invoices/<int:document_id>/cancel", scope="orders:write")
async def cancel_invoice(visit: Visit, store_id: int, document_id: int) -> Response:
    """Cancel an invoice, and lead to its credit note."""
    form = await visit.read_form("POST", CANCEL, id=store_id, documentId=document_id)
    note = await form.submit()
    if note is None:
        return await _render_invoice(visit, document_id, form)
    return visit.redirect(f"/stores/{store_id}/invoices/{note['id']}", notice=_("The invoice is cancelled."))


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>/invoice", scope="orders:write")
async def show_new_invoice(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show the form for the invoice of an order."""
    order = await _get_order(visit, order_id)
    values = {"name": order["customer_name"], "address": order["address"]}
    return await _render_new(visit, order, visit.form("POST", ISSUE, values))


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/invoice", scope="orders:write")
async def issue_invoice(visit: Visit, store_id: int, order_id: int) -> Response:
    """Issue the invoice of an order."""
    form = await visit.read_form("POST", ISSUE, id=store_id, orderId=order_id)
    invoice = await form.submit()
    if invoice is None:
        return await _render_new(visit, await _get_order(visit, order_id), form)
    return visit.redirect(f"/stores/{store_id}/invoices/{invoice['id']}", notice=_("The invoice is issued."))


async def load_order_panel(visit: Visit, order_id: int) -> str | None:
    """Return the invoices of an order, with a button for one; None for an order that is not paid and has none."""
    order = await _get_order(visit, order_id)
    if not order["is_paid"] and not order["paid_total"]:
        return None
    found = await visit.api.get(INVOICES, id=visit.store.id, query={"order_id": order_id})
    current = next((each for each in found["data"] if each["kind"] == "invoice" and not each["is_cancelled"]), None)
    can_issue = current is None and order["is_paid"] and order["status"] != "cancelled"
    if not found["data"] and not can_issue:
        return None
    return await visit.render_fragment(
        "invoices/dashboard/_order_panel.html",
        order=order,
        invoices=found["data"],
        can_issue=can_issue and visit.may("orders:write"),
        is_outdated=current is not None and current["total"] != order["total"],
        **get_texts(),
    )


PANELS: Final = (Panel("invoices_order", "order", N_("Invoice"), load_order_panel, "orders:read", position=30),)


async def _get_order(visit: Visit, order_id: int) -> dict[str, Any]:
    order: dict[str, Any] = await visit.api.get(ORDER, id=visit.store.id, orderId=order_id)
    return order


async def _render_new(visit: Visit, order: dict[str, Any], form: Form) -> Response:
    return await visit.render("invoices/dashboard/new_invoice.html", order=order, form=form)


async def _render_invoice(visit: Visit, document_id: int, form: Form) -> Response:
    document = await visit.api.get(INVOICE, id=visit.store.id, documentId=document_id)
    can_cancel = document["kind"] == "invoice" and not document["is_cancelled"] and visit.may("orders:write")
    return await visit.render(
        "invoices/dashboard/invoice.html", document=document, form=form, can_cancel=can_cancel, **get_texts()
    )
