"""The subscription and the invoices of a reseller's customer in the dashboard."""

from typing import Any

from comanda.basics import NotFound
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.invoices import read_filters
from comanda_reseller.pages.dashboard.labels import list_intervals, list_labels


@dashboard.get("/subscription", scope="billing:read")
async def show_own_subscription(visit: Visit) -> Response:
    """Show the plan, what of it is in use, and the latest invoices."""
    return await visit.render(
        "reseller/dashboard/own_subscription.html",
        subscription=await _find_subscription(visit),
        usage=await visit.api.get("/subscription/usage"),
        invoices=await visit.api.get("/invoices"),
        intervals=dict(list_intervals()),
        **list_labels(),
    )


@dashboard.get("/subscription/invoices", scope="billing:read")
async def list_own_invoices(visit: Visit) -> Response:
    """Show the invoices for the subscription."""
    filters = read_filters(visit)
    invoices = await visit.api.get("/invoices", query=filters | visit.query("page"))
    return await visit.render(
        "reseller/dashboard/invoices.html", invoices=invoices, filters=filters, path="/subscription/invoices",
        is_own=True, **list_labels(),
    )  # fmt: skip


@dashboard.post("/subscription/invoices/<int:id>/pay", scope="billing:write")
async def pay_own_invoice(visit: Visit, id: int) -> Response:
    """Pay an invoice from the wallet."""
    notice = _("Paid from your wallet.")
    return await visit.act("POST", "/invoices/{invoiceId}/pay", to="/subscription", notice=notice, invoiceId=id)


async def _find_subscription(visit: Visit) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = await visit.api.get("/subscription")
    except NotFound:
        return None
    return found
