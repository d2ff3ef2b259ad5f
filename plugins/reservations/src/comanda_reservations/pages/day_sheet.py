"""The day sheet: the tables of a store with their reservations of one day, and a page for each reservation."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, Final

from comanda.basics import clock
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response, abort, request

from comanda_reservations.pages.dashboard import (
    MAX_LISTED,
    READ,
    RESERVATION,
    RESERVATIONS,
    STATUS_LABELS,
    WRITE,
    dashboard,
    list_day,
    list_tables,
)
from comanda_reservations.pages.table_plan import draw_plan
from comanda_reservations.pages.waitlist import load_waitlist
from comanda_reservations.services.deposit_views import DEPOSIT_LABELS

# What may follow a status, in the order of the buttons.
NEXT: Final = {
    "pending": ("confirmed", "seated", "cancelled"),
    "confirmed": ("seated", "no_show", "cancelled"),
    "seated": ("completed",),
}
NO_GUESTS: Final = frozenset({"cancelled", "no_show"})
# How guests reserve who do not do it themselves.
SOURCES: Final = {"phone": N_("By phone"), "walk_in": N_("Walk-in")}
WALK_IN: Final = "walk_in"
ORDERS: Final = "/restaurants/{id}/orders"
APPLICATION: Final = "/restaurants/{id}/prepayments/{prepaymentId}/apply"
MAX_CHECKS: Final = 100


@dashboard.get("/stores/<int:store_id>/reservations", scope=READ)
async def show_day_sheet(visit: Visit, store_id: int) -> Response:
    """Show the reservations of a day, on a plan of the tables and as a list."""
    day = _parse_day(request.args.get("on", "")) or _get_today(visit)
    reservations = await list_day(visit, store_id, day.isoformat())
    tables = await list_tables(visit, store_id)
    seated = [each for each in reservations if each["status"] not in NO_GUESTS]
    return await visit.render(
        "reservations/dashboard/day_sheet.html",
        day=day,
        days=(day - timedelta(days=1), _get_today(visit), day + timedelta(days=1)),
        reservations=reservations,
        hours=_group_by_hour(reservations, visit),
        tables=tables,
        plan=draw_plan(tables, seated, visit.zone, f"/dashboard/stores/{store_id}/reservations") if tables else None,
        guests=sum(each["party_size"] for each in seated),
        is_full=len(reservations) == MAX_LISTED,
        waitlist=await load_waitlist(visit, store_id) if day == _get_today(visit) else None,
        **_get_texts(),
    )


@dashboard.get("/stores/<int:store_id>/reservations/new", scope=WRITE)
async def show_new_reservation(visit: Visit, store_id: int) -> Response:
    values: dict[str, Any] = {"starts_at": _get_first_time(visit).isoformat(), "party_size": 2, "source": "phone"}
    if request.args.get("source") == WALK_IN:
        now = clock.now().astimezone(visit.zone).replace(second=0, microsecond=0)
        # Guests who are in the house have given no notice, and may come shortly before the store opens.
        values |= {"starts_at": now.isoformat(), "source": WALK_IN, "guest_name": _("Walk-in"), "override": True}
    return await _render_form(visit, visit.form("POST", RESERVATIONS, values), None)


@dashboard.post("/stores/<int:store_id>/reservations/new", scope=WRITE)
async def create_reservation(visit: Visit, store_id: int) -> Response:
    """Reserve a table; guests who have walked in are seated at once."""
    form = await visit.read_form("POST", RESERVATIONS, id=store_id)
    created = await form.submit()
    if created is None:
        return await _render_form(visit, form, None)
    if created["source"] != WALK_IN:
        return visit.redirect(_get_day_path(visit, created), notice=_("Table reserved."))
    return await visit.act(
        "PUT", f"{RESERVATION}/status", to=_get_day_path(visit, created), notice=_("Guests seated."),
        body={"status": "seated"}, id=store_id, reservationId=created["id"],
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/reservations/<int:reservation_id>", scope=READ)
async def show_reservation(visit: Visit, store_id: int, reservation_id: int) -> Response:
    """Show a reservation, with what can be done about it."""
    reservation = await visit.api.get(RESERVATION, id=store_id, reservationId=reservation_id)
    return await _render_form(visit, visit.form("PUT", RESERVATION, reservation), reservation)


@dashboard.post("/stores/<int:store_id>/reservations/<int:reservation_id>", scope=WRITE)
async def update_reservation(visit: Visit, store_id: int, reservation_id: int) -> Response:
    """Change the time, the party, the tables or the guest of a reservation."""
    form = await visit.read_form("PUT", RESERVATION, id=store_id, reservationId=reservation_id)
    changed = await form.submit()
    if changed is None:
        reservation = await visit.api.get(RESERVATION, id=store_id, reservationId=reservation_id)
        return await _render_form(visit, form, reservation)
    return visit.redirect(_get_day_path(visit, changed), notice=_("Reservation saved."))


@dashboard.post("/stores/<int:store_id>/reservations/<int:reservation_id>/status", scope=WRITE)
async def update_status(visit: Visit, store_id: int, reservation_id: int) -> Response:
    """Confirm, seat, complete or cancel a reservation, or mark it as a no-show."""
    status = (await visit.read_texts()).get("status", "")
    reservation = await visit.api.get(RESERVATION, id=store_id, reservationId=reservation_id)
    return await visit.act(
        "PUT", f"{RESERVATION}/status", to=_get_day_path(visit, reservation), notice=_("Reservation saved."),
        body={"status": status}, id=store_id, reservationId=reservation_id,
    )  # fmt: skip


async def _render_form(visit: Visit, form: Form, reservation: dict[str, Any] | None) -> Response:
    tables = await list_tables(visit, visit.store.id)
    return await visit.render(
        "reservations/dashboard/reservation.html",
        form=form,
        reservation=reservation,
        checks=await list_open_checks(visit, reservation),
        back=_get_day_path(visit, reservation) if reservation else f"/stores/{visit.store.id}/reservations",
        tables=[
            (table["number"], _("%(number)s · seats %(seats)s", number=table["number"], seats=table["seats"]))
            for table in tables
            if table["is_active"]
        ],
        sources=[(source, _(label)) for source, label in SOURCES.items()],
        **_get_texts(),
    )


def _group_by_hour(reservations: Sequence[dict[str, Any]], visit: Visit) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group reservations, which are sorted by time, by the hour in which they begin."""

    def get_hour(reservation: dict[str, Any]) -> str:
        return f"{reservation['starts_at'].astimezone(visit.zone):%H}:00"

    return [(hour, list(members)) for hour, members in groupby(reservations, key=get_hour)]


def _list_next_statuses(reservation: dict[str, Any]) -> list[str]:
    """List the statuses that may follow; guests cannot be missing before their time."""
    has_begun = reservation["starts_at"] <= clock.now()
    return [status for status in NEXT.get(reservation["status"], ()) if status != "no_show" or has_begun]


def _get_question(status: str, name: str) -> str | None:
    """Return what a person is asked before a change that cannot be undone."""
    if status == "no_show":
        return _("Mark %(name)s as a no-show? Their tables become free.", name=name)
    return _("Cancel the reservation of %(name)s?", name=name) if status == "cancelled" else None


def _get_texts() -> dict[str, Any]:
    return {
        "statuses": {status: (_(label), tone) for status, (label, tone) in STATUS_LABELS.items()},
        "deposits": {status: (_(label), tone) for status, (label, tone) in DEPOSIT_LABELS.items()},
        "list_next_statuses": _list_next_statuses,
        "acts": {
            "confirmed": _("Confirm"),
            "seated": _("Seat"),
            "completed": _("Complete"),
            "no_show": _("No-show"),
            "cancelled": _("Cancel reservation"),
        },
        "get_question": _get_question,
    }


def _get_day_path(visit: Visit, reservation: dict[str, Any]) -> str:
    day = reservation["starts_at"].astimezone(visit.zone).date()
    return f"/stores/{visit.store.id}/reservations?on={day.isoformat()}"


def _get_today(visit: Visit) -> date:
    return clock.now().astimezone(visit.zone).date()


def _get_first_time(visit: Visit) -> datetime:
    """Return the next full quarter of an hour, on the day that is asked for."""
    now = clock.now().astimezone(visit.zone)
    soon = now.replace(minute=0, second=0, microsecond=0) + timedelta(minutes=15 * (now.minute // 15 + 1))
    day = _parse_day(request.args.get("on", ""))
    return soon if day is None or day == now.date() else soon.replace(year=day.year, month=day.month, day=day.day)


def _parse_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    # The days that the API takes, with room for the day before and the day after.
    return day if date(1970, 1, 2) <= day <= date(2999, 12, 30) else None


@dashboard.post("/stores/<int:store_id>/reservations/<int:reservation_id>/deposit/apply", scope=WRITE)
async def apply_deposit(visit: Visit, store_id: int, reservation_id: int) -> Response:
    """Add the deposit to the bill of an open check."""
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
