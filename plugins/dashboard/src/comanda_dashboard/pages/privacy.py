"""Personal data of a store's customers: export, erasure, and how long things are kept."""

from typing import Final

import orjson
from comanda.platform import runtime
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.store_settings import CUSTOMERS, list_tabs

PAGE: Final = "/stores/<int:store_id>/settings/privacy"
CUSTOMER: Final = f"{CUSTOMERS}/{{customerId}}"


@dashboard.get(PAGE, scope="customers:read")
async def show_privacy(visit: Visit, store_id: int) -> Response:
    """Show what is kept for how long, and find the customer who asks for their data."""
    filters = visit.query("search", "page")
    customers = await visit.api.get(CUSTOMERS, id=store_id, query=filters) if filters.get("search") else None
    return await visit.render(
        "dashboard/settings/privacy.html",
        tabs=await list_tabs(visit, "/privacy"),
        customers=customers,
        filters=filters,
        audit_log_days=runtime.settings().audit_log_days,
        may_erase=visit.api.has("DELETE", CUSTOMER),
    )


@dashboard.get(f"{PAGE}/<int:customer_id>/export", scope="customers:read")
async def export_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Download everything that is known about a customer."""
    document = await visit.api.get(f"{CUSTOMER}/export", id=store_id, customerId=customer_id)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": f'attachment; filename="customer-{customer_id}.json"',
        "Cache-Control": "no-store",
    }
    return Response(orjson.dumps(document, option=orjson.OPT_INDENT_2), headers=headers)


@dashboard.post(f"{PAGE}/<int:customer_id>/erase", scope="customers:write", step_up=True)
async def erase_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Erase a customer's personal data."""
    page = f"/stores/{store_id}/settings/privacy"
    notice = _("The customer's personal data is erased.")
    return await visit.act("DELETE", CUSTOMER, to=page, notice=notice, id=store_id, customerId=customer_id)
