"""The orders that wait for a pharmacist, and who the pharmacists are."""

from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response, request

from comanda_pharmacy.models import ReleaseStatus
from comanda_pharmacy.pages.dashboard import READ, WRITE, dashboard

RELEASES: Final = "/restaurants/{id}/releases"
RELEASE: Final = "/restaurants/{id}/orders/{orderId}/release"
PHARMACISTS: Final = "/restaurants/{id}/pharmacists"
STAFF: Final = "/restaurants/{id}/staff"
WRITE_STORE: Final = "restaurants:write"
STATUS_LABELS: Final = {
    ReleaseStatus.WAITING: (N_("Waiting for release"), "warn"),
    ReleaseStatus.RELEASED: (N_("Released"), "good"),
    ReleaseStatus.REFUSED: (N_("Refused"), "bad"),
    ReleaseStatus.CANCELLED: (N_("Cancelled"), "neutral"),
}
ACTORS: Final = {"owner": N_("Owner"), "staff": N_("Staff"), "app": N_("App")}


@dashboard.get("/stores/<int:store_id>/releases", scope=READ)
async def list_releases(visit: Visit, store_id: int) -> Response:
    """List the orders that wait for a pharmacist, or those with another status."""
    shown = request.args.get("status", "")
    shown = shown if shown in set(ReleaseStatus) else ReleaseStatus.WAITING.value
    query = {"status": shown, **visit.query("page")}
    return await visit.render(
        "pharmacy/dashboard/releases.html",
        releases=await visit.api.get(RELEASES, id=store_id, query=query),
        shown=shown,
        statuses={status.value: (_(label), tone) for status, (label, tone) in STATUS_LABELS.items()},
        actors={kind: _(label) for kind, label in ACTORS.items()},
        staff=await _list_staff(visit),
    )


@dashboard.post("/stores/<int:store_id>/releases/<int:order_id>", scope=WRITE)
async def decide_release(visit: Visit, store_id: int, order_id: int) -> Response:
    """Release an order, or refuse it or a line of it."""
    sent = await visit.read_texts()
    body: dict[str, Any] = {"status": sent.get("status", ""), "note": sent.get("note") or None}
    if line_id := sent.get("line_id"):
        body["line_id"] = line_id
    return await visit.act(
        "PUT", RELEASE, body=body, id=store_id, orderId=order_id, to=f"/stores/{store_id}/releases",
        notice=_("Order released.") if body["status"] == ReleaseStatus.RELEASED else _("Refusal saved."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/releases/pharmacists", scope=WRITE_STORE)
async def set_pharmacists(visit: Visit, store_id: int) -> Response:
    """Set the members of staff who may release orders."""
    sent = (await request.form).getlist("staff_ids")
    return await visit.act(
        "PUT", PHARMACISTS, body={"staff_ids": [each for each in sent if each]}, id=store_id,
        to=f"/stores/{store_id}/releases", notice=_("Pharmacists saved."),
    )  # fmt: skip


async def _list_staff(visit: Visit) -> list[tuple[int, str, bool]]:
    """Return the members of staff by id and name, and whether each is a pharmacist, for those who may change it."""
    if not visit.may(WRITE_STORE):
        return []
    chosen = (await visit.api.get(PHARMACISTS, id=visit.store.id))["staff_ids"]
    members = await visit.api.get(STAFF, id=visit.store.id, query={"per_page": 100})
    return [(member["id"], member["name"], member["id"] in chosen) for member in members["data"]]
