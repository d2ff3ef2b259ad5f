"""The endpoints that are paused, on the store's day in the dashboard."""

from typing import Final

from comanda.contracts import Panel
from comanda.web import N_
from comanda.web.dashboard import Visit

IS_ANY_PAUSED: Final = """
    SELECT FROM webhooks_endpoint
    WHERE owner_id = $1 AND deleted_at IS NULL AND plugin IS NULL AND (is_paused OR disabled_reason IS NOT NULL)
"""


async def load_paused_panel(visit: Visit, _store_id: int) -> str | None:
    """Return the owner's endpoints that are paused or disabled; None if there are none."""
    endpoints = await visit.api.get("/webhook-endpoints", query={"per_page": 100})
    paused = [endpoint for endpoint in endpoints["data"] if endpoint["is_paused"] or endpoint["disabled_reason"]]
    if not paused:
        return None
    return await visit.render_fragment("webhooks/dashboard/_paused_panel.html", endpoints=paused)


PANELS: Final = (
    Panel(
        "webhooks_paused", "today", N_("Paused webhooks"), load_paused_panel, "webhooks:read", position=40,
        is_for=IS_ANY_PAUSED,
    ),
)  # fmt: skip
