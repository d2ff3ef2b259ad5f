"""The forms of a new stay and of changes to one."""

from datetime import timedelta
from typing import Any, Final

from comanda.basics import ValidationFailed
from comanda.web import N_, translate_sentence
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response, request

from comanda_hotel.models import StayStatus
from comanda_hotel.pages.dashboard import (
    AVAILABILITY,
    OCCUPANCY,
    ROOM_TYPES,
    STAY,
    STAYS,
    WRITE,
    dashboard,
    get_today,
    list_all,
    parse_day,
)
from comanda_hotel.schemas.availability import Reason

# What a stay is searched by; the rest of its form is about the guest.
SEARCH_FIELDS: Final = ("check_in", "check_out", "adults", "children")
# Where the desk takes stays; the API itself takes any text.
SOURCES: Final = {"phone": N_("By phone"), "front_desk": N_("At the front desk"), "email": N_("By e-mail")}
REASONS: Final = {
    Reason.OCCUPANCY: N_("Too small for these guests"),
    Reason.MIN_STAY: N_("Sold for more nights only"),
    Reason.NO_ROOMS: N_("Has no rooms"),
    Reason.OUT_OF_ORDER: N_("Out of order on one of these nights"),
    Reason.SOLD_OUT: N_("Sold out on one of these nights"),
}
OVER: Final = frozenset({StayStatus.CHECKED_OUT, StayStatus.CANCELLED, StayStatus.NO_SHOW})


@dashboard.get("/stores/<int:store_id>/stays/new", scope=WRITE)
async def show_new_stay(visit: Visit, store_id: int) -> Response:
    """Show what is free for the nights and the guests that are asked for, and the form to book it."""
    arrival = parse_day(request.args.get("check_in", "")) or get_today(visit)
    departure = parse_day(request.args.get("check_out", ""))
    values = {
        "check_in": arrival.isoformat(),
        "check_out": (departure or arrival + timedelta(days=1)).isoformat(),
        "adults": request.args.get("adults") or "2",
        "children": request.args.get("children") or "0",
        "source": next(iter(SOURCES)),
    }
    return await _render_new(visit, visit.form("POST", STAYS, values))


@dashboard.post("/stores/<int:store_id>/stays/new", scope=WRITE)
async def create_stay(visit: Visit, store_id: int) -> Response:
    """Book a stay, or show the form again with what is wrong."""
    form = await visit.read_form("POST", STAYS, id=store_id)
    stay = await form.submit()
    if stay is None:
        return await _render_new(visit, form)
    return visit.redirect(f"/stores/{store_id}/stays/{stay['id']}", notice=_("Stay booked."))


@dashboard.get("/stores/<int:store_id>/stays/<int:stay_id>/edit", scope=WRITE)
async def show_stay_form(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Show the form of a stay's guests, dates and type."""
    stay = await visit.api.get(STAY, id=store_id, stayId=stay_id)
    return await _render_change(visit, visit.form("PUT", STAY, stay), stay)


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/edit", scope=WRITE)
async def update_stay(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Change a stay, or show the form again with what is wrong."""
    form = await visit.read_form("PUT", STAY, id=store_id, stayId=stay_id)
    if await form.submit() is None:
        return await _render_change(visit, form, await visit.api.get(STAY, id=store_id, stayId=stay_id))
    return visit.redirect(f"/stores/{store_id}/stays/{stay_id}", notice=_("Stay saved."))


async def _render_new(visit: Visit, form: Form) -> Response:
    offers = await _list_offers(visit, form)
    return await visit.render(
        "hotel/dashboard/new_stay.html",
        form=form,
        offers=offers,
        # Without the scope to see prices, the types are those of the rooms.
        room_types=await _list_room_types(visit) if offers is None else None,
        search_fields=SEARCH_FIELDS,
        sources=[(source, _(label)) for source, label in SOURCES.items()],
        reasons={reason.value: _(label) for reason, label in REASONS.items()},
    )


async def _list_offers(visit: Visit, form: Form) -> list[dict[str, Any]] | None:
    """List the room types with prices; none if the search is wrong, None for people who may not see them."""
    if not visit.api.has("GET", AVAILABILITY):
        return None
    query = {name: value for name in SEARCH_FIELDS if (value := form.get_value(name)) not in (None, "")}
    try:
        found: list[dict[str, Any]] = (await visit.api.get(AVAILABILITY, id=visit.store.id, query=query))["room_types"]
    except ValidationFailed as error:
        form.errors = {
            **{name: [translate_sentence(text) for text in texts] for name, texts in error.errors.items()},
            **form.errors,
        }
        return []
    return found


async def _list_room_types(visit: Visit) -> list[tuple[int, str]]:
    rooms = await list_all(visit, OCCUPANCY)
    return list({room["room_type_id"]: (room["room_type_id"], room["room_type"]) for room in rooms}.values())


async def _render_change(visit: Visit, form: Form, stay: dict[str, Any]) -> Response:
    if visit.api.has("GET", ROOM_TYPES):
        types = [(each["id"], each["name"]) for each in await list_all(visit, ROOM_TYPES) if each["is_active"]]
    else:
        types = await _list_room_types(visit)
    if stay["room_type_id"] not in {type_id for type_id, _name in types}:
        types.append((stay["room_type_id"], stay["room_type"]))
    return await visit.render(
        "hotel/dashboard/stay_form.html",
        form=form,
        stay=stay,
        room_types=types,
        is_over=stay["status"] in OVER,
        is_in_house=stay["status"] == StayStatus.CHECKED_IN,
        is_held=stay["expires_at"] is not None,
    )
