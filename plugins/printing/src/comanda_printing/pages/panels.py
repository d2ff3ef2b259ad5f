"""What was printed of an order, and the printers that need somebody, on pages of the dashboard."""

from typing import Final

from comanda.contracts import Panel
from comanda.web import N_
from comanda.web.dashboard import Visit

from comanda_printing.pages.dashboard import JOBS, PRINTERS
from comanda_printing.pages.texts import describe_state, get_labels, needs_somebody
from comanda_printing.services.printers import HAS_PRINTERS, HAS_PRINTERS_OF_ORDER

EVERY: Final = {"per_page": 100}


async def load_order_panel(visit: Visit, order_id: int) -> str | None:
    """Return what was printed of an order, with buttons to print."""
    printers = (await visit.api.get(PRINTERS, query=EVERY, id=visit.store.id))["data"]
    jobs = (await visit.api.get(JOBS, query={**EVERY, "order_id": order_id}, id=visit.store.id))["data"]
    names = {printer["id"]: printer["name"] for printer in printers}
    return await visit.render_fragment(
        "printing/dashboard/_order_panel.html",
        printers=printers, jobs=jobs, names=names, order_id=order_id, **get_labels(),
    )  # fmt: skip


async def load_state_panel(visit: Visit, store_id: int) -> str | None:
    """Return the printers that somebody must look after; None if all is well."""
    printers = (await visit.api.get(PRINTERS, query=EVERY, id=store_id))["data"]
    troubled = [printer for printer in printers if needs_somebody(printer)]
    for printer in troubled:
        printer["state_text"], printer["tone"] = describe_state(printer)
    if not troubled:
        return None
    return await visit.render_fragment("printing/dashboard/_state_panel.html", printers=troubled)


PANELS: Final = (
    Panel(
        "printing_order", "order", N_("Printing"), load_order_panel, "restaurants:read", position=60,
        is_for=HAS_PRINTERS_OF_ORDER,
    ),
    Panel(
        "printing_state", "today", N_("Printers"), load_state_panel, "restaurants:read", position=15,
        is_for=HAS_PRINTERS,
    ),
)  # fmt: skip
