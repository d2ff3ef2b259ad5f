"""The calendars of a room: what other platforms read, what was read from them, and what is in conflict."""

from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_hotel.pages.dashboard import FOREIGN_BOOKINGS, READ, READ_STORE, ROOM, WRITE_STORE, dashboard
from comanda_hotel.records.calendars import ReadFailure

CALENDARS: Final = f"{ROOM}/calendars"
CALENDAR: Final = f"{CALENDARS}/{{calendarId}}"
FAILURES: Final = {
    ReadFailure.UNREACHABLE: N_("The platform did not answer with a calendar. What was read before still counts."),
    ReadFailure.NOT_A_CALENDAR: N_("What is at this address is no calendar. What was read before still counts."),
    ReadFailure.TOO_MANY_BOOKINGS: N_("This calendar has too many bookings. What was read before still counts."),
}


@dashboard.get("/stores/<int:store_id>/rooms/conflicts", scope=READ)
async def list_conflicts(visit: Visit, store_id: int) -> Response:
    """List what other platforms sold although it was taken here."""
    bookings = await visit.api.get(FOREIGN_BOOKINGS, id=store_id, query={**visit.query("page"), "in_conflict": "true"})
    return await visit.render("hotel/dashboard/conflicts.html", bookings=bookings)


@dashboard.get("/stores/<int:store_id>/rooms/<int:room_id>/calendars", scope=READ_STORE)
async def list_calendars(visit: Visit, store_id: int, room_id: int) -> Response:
    """List the calendars of a room, with the form of a new one."""
    return await _render_list(visit, room_id, visit.form("POST", CALENDARS))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/calendars", scope=WRITE_STORE)
async def create_calendar(visit: Visit, store_id: int, room_id: int) -> Response:
    form = await visit.read_form("POST", CALENDARS, id=store_id, roomId=room_id)
    created = await form.submit()
    if created is None:
        return await _render_list(visit, room_id, form)
    notice = _("Calendar added. Give its address to the platform.")
    return visit.redirect(_get_path(visit, room_id, created["id"]), notice=notice)


@dashboard.get("/stores/<int:store_id>/rooms/<int:room_id>/calendars/<int:calendar_id>", scope=READ_STORE)
async def show_calendar(visit: Visit, store_id: int, room_id: int, calendar_id: int) -> Response:
    """Show a calendar, its address and its bookings."""
    calendar = await visit.api.get(CALENDAR, id=store_id, roomId=room_id, calendarId=calendar_id)
    return await _render(visit, calendar, visit.form("PUT", CALENDAR, calendar))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/calendars/<int:calendar_id>", scope=WRITE_STORE)
async def update_calendar(visit: Visit, store_id: int, room_id: int, calendar_id: int) -> Response:
    form = await visit.read_form("PUT", CALENDAR, id=store_id, roomId=room_id, calendarId=calendar_id)
    if await form.submit() is None:
        calendar = await visit.api.get(CALENDAR, id=store_id, roomId=room_id, calendarId=calendar_id)
        return await _render(visit, calendar, form)
    return visit.redirect(_get_path(visit, room_id, calendar_id), notice=_("Calendar saved."))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/calendars/<int:calendar_id>/read", scope=WRITE_STORE)
async def read_now(visit: Visit, store_id: int, room_id: int, calendar_id: int) -> Response:
    """Read a calendar at once."""
    return await visit.act(
        "POST", f"{CALENDAR}/read", to=_get_path(visit, room_id, calendar_id), id=store_id, roomId=room_id,
        calendarId=calendar_id, notice=_("The calendar is being read. Reload this page in a moment."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/calendars/<int:calendar_id>/address", scope=WRITE_STORE)
async def renew_address(visit: Visit, store_id: int, room_id: int, calendar_id: int) -> Response:
    """Give a calendar another address."""
    return await visit.act(
        "POST", f"{CALENDAR}/address", to=_get_path(visit, room_id, calendar_id), id=store_id, roomId=room_id,
        calendarId=calendar_id, notice=_("Address replaced. Give the new one to the platform."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/calendars/<int:calendar_id>/delete", scope=WRITE_STORE)
async def delete_calendar(visit: Visit, store_id: int, room_id: int, calendar_id: int) -> Response:
    """Delete a calendar and its bookings."""
    return await visit.act(
        "DELETE", CALENDAR, to=_get_path(visit, room_id), id=store_id, roomId=room_id, calendarId=calendar_id,
        notice=_("Calendar deleted."),
    )  # fmt: skip


def _get_path(visit: Visit, room_id: int, calendar_id: int | None = None) -> str:
    path = f"/stores/{visit.store.id}/rooms/{room_id}/calendars"
    return path if calendar_id is None else f"{path}/{calendar_id}"


async def _render_list(visit: Visit, room_id: int, form: Form) -> Response:
    return await visit.render(
        "hotel/dashboard/calendars.html",
        status=422 if form.is_refused else 200,
        room=await visit.api.get(ROOM, id=visit.store.id, roomId=room_id),
        calendars=await visit.api.get(CALENDARS, id=visit.store.id, roomId=room_id),
        form=form,
    )


async def _render(visit: Visit, calendar: dict[str, Any], form: Form) -> Response:
    bookings = None
    if visit.may(READ):
        query = {**visit.query("page"), "calendar": calendar["id"]}
        bookings = await visit.api.get(FOREIGN_BOOKINGS, id=visit.store.id, query=query)
    return await visit.render(
        "hotel/dashboard/calendar.html",
        status=422 if form.is_refused else 200,
        calendar=calendar,
        failure=_(FAILURES[calendar["failure"]]) if calendar["failure"] else None,
        bookings=bookings,
        form=form,
    )
