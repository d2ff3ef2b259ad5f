"""Panels of core's things: the items that are sold out."""

from typing import Any, Final

from comanda.contracts import Panel
from comanda.web import N_
from comanda.web.dashboard import Visit

MAX_ITEMS: Final = 8


async def load_sold_out_panel(visit: Visit, store_id: int) -> str | None:
    """Return the items that are sold out; None if there are none."""
    categories = await visit.api.get("/restaurants/{id}/menu", id=store_id)
    items: list[dict[str, Any]] = [
        item for category in categories for item in category["items"] if item["is_active"] and item["is_sold_out"]
    ]
    if not items:
        return None
    return await visit.render_fragment("dashboard/_sold_out_panel.html", items=items[:MAX_ITEMS], total=len(items))


PANELS: Final = (Panel("dashboard_sold_out", "today", N_("Sold out"), load_sold_out_panel, "menu:read", position=30),)
