"""Invoices in the dashboard: those to a reseller's customers, and those that the reseller owes."""

from typing import Final

from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.customers import READ, WRITE
from comanda_reseller.pages.dashboard.labels import INVOICE_LABELS, list_labels

INVOICES: Final = "/reseller/customer-invoices"
INVOICE: Final = f"{INVOICES}/{{invoiceId}}"
OWED: Final = "/reseller/invoices"


def read_filters(visit: Visit) -> dict[str, str]:
    """Return the filters of a list of invoices."""
    filters = visit.query("status")
    return filters if filters.get("status") in INVOICE_LABELS else {}


@dashboard.get("/reseller/invoices", scope=READ, audience=Audience.RESELLER)
async def list_invoices(visit: Visit) -> Response:
    """Show the invoices to customers, by state."""
    filters = read_filters(visit)
    invoices = await visit.api.get(INVOICES, query=filters | visit.query("page"))
    return await visit.render(
        "reseller/dashboard/invoices.html", invoices=invoices, filters=filters, path="/reseller/invoices", is_own=False,
        **list_labels(),
    )  # fmt: skip


@dashboard.get("/reseller/invoices/<int:id>", scope=READ, audience=Audience.RESELLER)
async def show_invoice(visit: Visit, id: int) -> Response:
    """Show an invoice with its payments."""
    return await _render(visit, id, visit.form("POST", f"{INVOICE}/credit-notes"))


@dashboard.post("/reseller/invoices/<int:id>/mark-paid", scope=WRITE, audience=Audience.RESELLER)
async def record_payment(visit: Visit, id: int) -> Response:
    """Record that an invoice was paid outside of the platform."""
    body = {"reference": (await visit.read_texts()).get("reference") or None}
    to = f"/reseller/invoices/{id}"
    notice = _("Payment recorded.")
    return await visit.act("POST", f"{INVOICE}/mark-paid", to=to, notice=notice, body=body, invoiceId=id)


@dashboard.post("/reseller/invoices/<int:id>/collect", scope=WRITE, audience=Audience.RESELLER)
async def collect_invoice(visit: Visit, id: int) -> Response:
    """Try now to collect an invoice."""
    to = f"/reseller/invoices/{id}"
    return await visit.act("POST", f"{INVOICE}/collect", to=to, notice=_("Payment attempted."), invoiceId=id)


@dashboard.post("/reseller/invoices/<int:id>/void", scope=WRITE, audience=Audience.RESELLER)
async def void_invoice(visit: Visit, id: int) -> Response:
    """Void an invoice, with a reason."""
    return await _act_with_reason(visit, id, "void", _("Invoice voided."))


@dashboard.post("/reseller/invoices/<int:id>/write-off", scope=WRITE, audience=Audience.RESELLER)
async def write_off_invoice(visit: Visit, id: int) -> Response:
    """Write an invoice off, with a reason."""
    return await _act_with_reason(visit, id, "write-off", _("Invoice written off."))


@dashboard.post("/reseller/invoices/<int:id>/credit-notes", scope=WRITE, audience=Audience.RESELLER)
async def create_credit_note(visit: Visit, id: int) -> Response:
    """Credit a paid invoice in whole or in part."""
    form = await visit.read_form("POST", f"{INVOICE}/credit-notes", invoiceId=id)
    if (note := await form.submit()) is None:
        return await _render(visit, id, form)
    return visit.redirect(f"/reseller/invoices/{note['id']}", notice=_("Credit note issued."))


@dashboard.get("/reseller/platform-invoices", scope=READ, audience=Audience.RESELLER)
async def list_platform_invoices(visit: Visit) -> Response:
    """Show what the reseller owes the platform."""
    filters = read_filters(visit)
    invoices = await visit.api.get(OWED, query=filters | visit.query("page"))
    return await visit.render(
        "reseller/dashboard/invoices.html", invoices=invoices, filters=filters, path="/reseller/platform-invoices",
        is_own=True, **list_labels(),
    )  # fmt: skip


@dashboard.post("/reseller/platform-invoices/<int:id>/pay", scope=WRITE, audience=Audience.RESELLER)
async def pay_platform_invoice(visit: Visit, id: int) -> Response:
    """Pay an invoice of the platform from the wallet."""
    path, notice = f"{OWED}/{{invoiceId}}/pay", _("Paid from your wallet.")
    return await visit.act("POST", path, to="/reseller/platform-invoices", notice=notice, invoiceId=id)


async def _act_with_reason(visit: Visit, id: int, action: str, notice: str) -> Response:
    body = {"reason": (await visit.read_texts()).get("reason", "")}
    to = f"/reseller/invoices/{id}"
    return await visit.act("POST", f"{INVOICE}/{action}", to=to, notice=notice, body=body, invoiceId=id)


async def _render(visit: Visit, id: int, form: Form) -> Response:
    return await visit.render(
        "reseller/dashboard/invoice.html",
        invoice=await visit.api.get(INVOICE, invoiceId=id),
        form=form,
        **list_labels(),
    )
