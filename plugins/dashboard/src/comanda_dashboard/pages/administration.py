"""Owners in the administration of the installation: found, shown, suspended."""

from typing import Final

from comanda.accounts import administration
from comanda.basics import ComandaError, require_found
from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_dashboard.pages import dashboard

OWNERS_PER_PAGE: Final = 50
STATUSES: Final = ("active", "suspended")


@dashboard.get("/administration/owners", scope=None, audience=Audience.ADMINISTRATOR)
async def list_owners(visit: Visit) -> Response:
    """Show the owners, by state and words."""
    filters = visit.query("search", "status")
    words = filters.get("search", "").lower()
    found = [
        owner
        for owner in reversed(await administration.list_owners())
        if words in f"{owner.name} {owner.email}".lower() and _has_status(owner.is_suspended, filters.get("status"))
    ]
    number = visit.query("page").get("page", "1")
    current = max(1, int(number[:6])) if number.isdecimal() else 1
    start = (current - 1) * OWNERS_PER_PAGE
    pages = {"current_page": current, "last_page": -(-len(found) // OWNERS_PER_PAGE) or 1, "total": len(found)}
    return await visit.render(
        "dashboard/administration/owners.html",
        owners=found[start : start + OWNERS_PER_PAGE],
        pages=pages,
        filters=filters,
    )


@dashboard.get("/administration/owners/<int:owner_id>", scope=None, audience=Audience.ADMINISTRATOR)
async def show_owner(visit: Visit, owner_id: int) -> Response:
    """Show an owner, with the panels of plugins."""
    owner = require_found(next((each for each in await administration.list_owners() if each.id == owner_id), None))
    panels = await visit.load_panels("owner", owner_id)
    return await visit.render("dashboard/administration/owner.html", owner=owner, panels=panels)


@dashboard.post("/administration/owners/<int:owner_id>/suspend", scope=None, audience=Audience.ADMINISTRATOR)
async def suspend_owner(visit: Visit, owner_id: int) -> Response:
    """Suspend an owner, with the reason that the form says."""
    reason = (await visit.read_texts()).get("reason", "")
    to = f"/administration/owners/{owner_id}"
    try:
        await administration.suspend_as_administrator(visit.caller, owner_id, reason)
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return visit.redirect(to, problem=get_sentence(error))
    return visit.redirect(to, notice=_("Owner suspended."))


@dashboard.post("/administration/owners/<int:owner_id>/unsuspend", scope=None, audience=Audience.ADMINISTRATOR)
async def unsuspend_owner(visit: Visit, owner_id: int) -> Response:
    """Lift the suspension of an owner."""
    await administration.unsuspend_as_administrator(visit.caller, owner_id)
    return visit.redirect(f"/administration/owners/{owner_id}", notice=_("Suspension lifted."))


def _has_status(is_suspended: bool, status: str | None) -> bool:
    return status not in STATUSES or is_suspended == (status == "suspended")
