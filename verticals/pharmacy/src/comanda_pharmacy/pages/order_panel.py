"""The pharmacy's part of an order in the dashboard: its release, and the batches of its lines."""

from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit

from comanda_pharmacy.item_capabilities import MEDICINE
from comanda_pharmacy.pages.dashboard import READ
from comanda_pharmacy.pages.releases import RELEASE, STATUS_LABELS

LINE_BATCHES: Final = "/restaurants/{id}/orders/{orderId}/batches"


async def load_pharmacy_panel(visit: Visit, order_id: int) -> str | None:
    """Return what a pharmacist decided and which batches were sold; None for an order with neither."""
    if MEDICINE.code not in visit.store.capabilities:
        return None
    batches = await visit.api.get(LINE_BATCHES, id=visit.store.id, orderId=order_id)
    try:
        release = await visit.api.get(RELEASE, id=visit.store.id, orderId=order_id)
    except NotFound:
        release = None
    if not batches and release is None:
        return None
    return await visit.render_fragment(
        "pharmacy/dashboard/_order_panel.html",
        release=release,
        statuses={status.value: (_(label), tone) for status, (label, tone) in STATUS_LABELS.items()},
        batches=batches,
    )


PANELS: Final = (Panel("pharmacy_order", "order", N_("Pharmacy"), load_pharmacy_panel, READ, position=32),)
