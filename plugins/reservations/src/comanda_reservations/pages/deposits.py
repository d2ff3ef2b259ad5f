"""The deposit of a reservation on a bill. It is refunded or kept on the page of prepayments."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response, abort

from comanda_reservations.pages.dashboard import RESERVATION, WRITE, dashboard

ORDERS: Final = "/restaurants/{id}/orders"
APPLICATION: Final = "/restaurants/{id}/prepayments/{prepaymentId}/apply"
MAX_CHECKS: Final = 100


@dashboard.post("/stores/<int:store_id>/reservations/<int:reservation_id>/deposit/apply", scope=WRITE)
async def apply_deposit(visit: Visit, store_id: int, reservation_id: int) -> Response:
    """Put the deposit on the bill of an open check."""
    reservation = await visit.api.get(RESERVATION, id=store_id, reservationId=reservation_id)
    if reservation["deposit"] is None:
        abort(404)
    body = {"order_id": (await visit.read_texts()).get("order_id", "")}
    return await visit.act(
        "POST", APPLICATION, to=f"/stores/{store_id}/reservations/{reservation_id}",
        notice=_("The deposit is on the bill."), body=body, id=store_id, prepaymentId=reservation["deposit"]["id"],
    )  # fmt: skip


async def list_open_checks(visit: Visit, reservation: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """List the orders that a paid deposit can be put on, those of the reservation's tables first."""
    if reservation is None or reservation["deposit"] is None or reservation["deposit"]["status"] != "paid":
        return ()
    query: dict[str, str | int] = {"is_paid": "false", "per_page": MAX_CHECKS}
    found = (await visit.api.get(ORDERS, id=visit.store.id, query=query))["data"]
    due = [order for order in found if order["amount_due"] > 0]
    return sorted(due, key=lambda order: order.get("table_number") not in reservation["table_numbers"])
