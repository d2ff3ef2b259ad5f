"""The waitlist in the dashboard: beside the reservations of today, and a form for guests who have come."""

from collections.abc import Sequence
from typing import Any, Final

from comanda.basics import clock
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reservations.pages.dashboard import PER_PAGE, SETTINGS, TABLES, WAITLIST, WRITE, dashboard

PARTY: Final = f"{WAITLIST}/{{partyId}}"
DAY_SHEET: Final = "/stores/{}/reservations"
STATUS_LABELS: Final = {"waiting": (N_("Waiting"), "info"), "called": (N_("Called"), "good")}
DEFAULT_PARTY: Final = 2


async def load_waitlist(visit: Visit, store_id: int) -> dict[str, Any] | None:
    """Return who waits and which tables are free now, for the day sheet; None if the waitlist is off and empty."""
    settings = await visit.api.get(SETTINGS, id=store_id)
    parties = (await visit.api.get(WAITLIST, id=store_id, query={"per_page": PER_PAGE}))["data"]
    if not settings["has_waitlist"] and not parties:
        return None
    return {
        "is_open": settings["has_waitlist"],
        "parties": parties,
        "free_tables": await _list_free_tables(visit, store_id) if parties else (),
        "statuses": {status: (_(label), tone) for status, (label, tone) in STATUS_LABELS.items()},
    }


@dashboard.get("/stores/<int:store_id>/reservations/waitlist/new", scope=WRITE)
async def show_new_party(visit: Visit, store_id: int) -> Response:
    """Show the form of a new party, with the estimated wait."""
    return await _render_form(visit, visit.form("POST", WAITLIST, {"party_size": DEFAULT_PARTY}))


@dashboard.post("/stores/<int:store_id>/reservations/waitlist/new", scope=WRITE)
async def add_party(visit: Visit, store_id: int) -> Response:
    """Add a party to the waitlist."""
    form = await visit.read_form("POST", WAITLIST, id=store_id)
    if await form.submit() is None:
        return await _render_form(visit, form)
    return visit.redirect(DAY_SHEET.format(store_id), notice=_("Added to the waitlist."))


@dashboard.post("/stores/<int:store_id>/reservations/waitlist/<int:party_id>/call", scope=WRITE)
async def call_party(visit: Visit, store_id: int, party_id: int) -> Response:
    """Call a party to its table."""
    return await visit.act(
        "POST", f"{PARTY}/call", to=DAY_SHEET.format(store_id), notice=_("Guests called."), id=store_id,
        partyId=party_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/reservations/waitlist/<int:party_id>/seat", scope=WRITE)
async def seat_party(visit: Visit, store_id: int, party_id: int) -> Response:
    """Seat a party at the chosen table, or at the smallest that fits."""
    number = (await visit.read_texts()).get("table_number", "")
    return await visit.act(
        "POST", f"{PARTY}/seat", to=DAY_SHEET.format(store_id), notice=_("Guests seated."),
        body={"table_numbers": [number] if number else []}, id=store_id, partyId=party_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/reservations/waitlist/<int:party_id>/status", scope=WRITE)
async def end_wait(visit: Visit, store_id: int, party_id: int) -> Response:
    """Remove a party from the line that has left or did not come."""
    status = (await visit.read_texts()).get("status", "")
    return await visit.act(
        "PUT", f"{PARTY}/status", to=DAY_SHEET.format(store_id), notice=_("Removed from the waitlist."),
        body={"status": status}, id=store_id, partyId=party_id,
    )  # fmt: skip


async def _list_free_tables(visit: Visit, store_id: int) -> Sequence[dict[str, Any]]:
    found = await visit.api.get(
        f"{TABLES}/availability", id=store_id, query={"starts_at": clock.now().isoformat(), "party_size": 1}
    )
    tables: Sequence[dict[str, Any]] = found["free_tables"]
    return tables


async def _render_form(visit: Visit, form: Form) -> Response:
    quote = await visit.api.get(f"{WAITLIST}/quote", id=visit.store.id, query={"party_size": DEFAULT_PARTY})
    return await visit.render("reservations/dashboard/waiting_party.html", form=form, quote=quote)
