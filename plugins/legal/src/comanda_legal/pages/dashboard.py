"""Withdrawals in the dashboard: the list, and those that wait on the page of the day."""

from typing import Final

from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Visit
from quart import Response

from comanda_legal.services.withdrawals import HAS_UNHANDLED, HAS_WITHDRAWALS

dashboard: Final = DashboardPages("legal", __name__)

WITHDRAWALS: Final = "/restaurants/{id}/withdrawals"
PAGE: Final = "/stores/{store_id}/withdrawals"
READ: Final = "orders:read"
WRITE: Final = "orders:write"
MAX_WAITING: Final = 5
NAVIGATION: Final = (
    NavigationEntry(N_("Withdrawals"), PAGE, "orders", READ, icon="undo", position=70, is_for=HAS_WITHDRAWALS),
)


@dashboard.get("/stores/<int:store_id>/withdrawals", scope=READ)
async def list_withdrawals(visit: Visit, store_id: int) -> Response:
    """List the withdrawals of a store, or those that are handled or not."""
    filters = visit.query("is_handled")
    found = await visit.api.get(WITHDRAWALS, id=store_id, query={**filters, **visit.query("page")})
    return await visit.render(
        "legal/dashboard/withdrawals.html", withdrawals=found, filters=filters, can_handle=visit.may(WRITE)
    )


@dashboard.post("/stores/<int:store_id>/withdrawals/<int:withdrawal_id>/handled", scope=WRITE)
async def mark_handled(visit: Visit, store_id: int, withdrawal_id: int) -> Response:
    return await visit.act(
        "POST", f"{WITHDRAWALS}/{{withdrawalId}}/handled", to=PAGE.format(store_id=store_id),
        notice=_("Marked as handled."), id=store_id, withdrawalId=withdrawal_id,
    )  # fmt: skip


async def load_waiting_panel(visit: Visit, store_id: int) -> str | None:
    """Return the newest withdrawals that nobody has handled; None if there are none."""
    query: dict[str, str | int] = {"is_handled": "false", "per_page": MAX_WAITING}
    waiting = await visit.api.get(WITHDRAWALS, id=store_id, query=query)
    if not waiting["total"]:
        return None
    return await visit.render_fragment("legal/dashboard/_waiting_panel.html", waiting=waiting)


PANELS: Final = (
    Panel(
        "legal_withdrawals", "today", N_("Withdrawals to handle"), load_waiting_panel, READ, position=25,
        is_for=HAS_UNHANDLED,
    ),
)  # fmt: skip
