"""The links from the tracking page of a paid order to its receipt and its invoice."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Record, Section
from comanda.platform.db import sql
from comanda.web import gettext as _
from pydantic import BaseModel

from comanda_invoices.services import guest_invoices, receipts
from comanda_invoices.services.messages import PATH

SELECT_LINKED: Final = """
    SELECT o.id, o.store_id, o.track_token, EXISTS (
            SELECT FROM invoices_document d WHERE d.order_id = o.id AND d.owner_id = o.owner_id) AS has_invoice,
        o.status <> 'cancelled' AND (o.paid_minor > o.refunded_minor OR o.total_minor = 0) AS can_have
    FROM core_order_v1 o
    WHERE o.owner_id = $1 AND o.id = ANY($2::bigint[]) AND o.paid_at IS NOT NULL AND o.late_due_minor = 0
"""


class InvoiceLinks(BaseModel):
    """Links of the tracking page, as labels with paths, in the language of the page."""

    invoice_links: list[tuple[str, str]] = []


async def load_links(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the links of paid orders by the order's id: to the receipt, and to an invoice that there is or may be."""
    found: dict[int, Mapping[str, Any]] = {}
    for row in await sql.fetch(SELECT_LINKED, owner_id, list(order_ids)):
        offers = row["can_have"] and await guest_invoices.is_offered(owner_id, row["store_id"])
        links = [(_("Receipt by e-mail"), receipts.PATH)]
        if row["has_invoice"] or offers:
            links.append((_("Invoice"), PATH))
        found[row["id"]] = {"invoice_links": [(label, path.format(token=row["track_token"])) for label, path in links]}
    return found


SECTION: Final = Section("invoices_tracking", Record.TRACKING_PAGE, InvoiceLinks, load_links)
