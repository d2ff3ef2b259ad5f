"""Room types, and what their nights cost."""

from typing import Any, Final

from comanda.web import WEEKDAY_LABELS
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_hotel.pages.dashboard import READ_STORE, ROOM_TYPE, ROOM_TYPES, WRITE_STORE, dashboard
from comanda_hotel.services.rates import WEEKDAYS

RATES: Final = f"{ROOM_TYPE}/rates"
NEW_TYPE: Final = {"max_adults": 2, "min_stay": 1}


@dashboard.get("/stores/<int:store_id>/rooms/types", scope=READ_STORE)
async def list_room_types(visit: Visit, store_id: int) -> Response:
    """List the room types in the order in which guests see them."""
    types = await visit.api.get(ROOM_TYPES, id=store_id, query=visit.query("page"))
    return await visit.render("hotel/dashboard/room_types.html", types=types)


@dashboard.get("/stores/<int:store_id>/rooms/types/new", scope=WRITE_STORE)
async def show_new_room_type(visit: Visit, store_id: int) -> Response:
    await visit.api.get(ROOM_TYPES, id=store_id, query={"per_page": 1})
    return await _render_type(visit, visit.form("POST", ROOM_TYPES, NEW_TYPE), None)


@dashboard.post("/stores/<int:store_id>/rooms/types/new", scope=WRITE_STORE)
async def create_room_type(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", ROOM_TYPES, id=store_id)
    created = await form.submit()
    if created is None:
        return await _render_type(visit, form, None)
    notice = _("Room type created. Its weekdays and nights may have prices of their own.")
    return visit.redirect(f"/stores/{store_id}/rooms/types/{created['id']}", notice=notice)


@dashboard.get("/stores/<int:store_id>/rooms/types/<int:type_id>", scope=READ_STORE)
async def show_room_type(visit: Visit, store_id: int, type_id: int) -> Response:
    """Show a room type and its rates."""
    found = await visit.api.get(ROOM_TYPE, id=store_id, typeId=type_id)
    return await _render_type(visit, visit.form("PUT", ROOM_TYPE, found), found)


@dashboard.post("/stores/<int:store_id>/rooms/types/<int:type_id>", scope=WRITE_STORE)
async def update_room_type(visit: Visit, store_id: int, type_id: int) -> Response:
    form = await visit.read_form("PUT", ROOM_TYPE, id=store_id, typeId=type_id)
    if await form.submit() is None:
        return await _render_type(visit, form, await visit.api.get(ROOM_TYPE, id=store_id, typeId=type_id))
    return visit.redirect(f"/stores/{store_id}/rooms/types/{type_id}", notice=_("Room type saved."))


@dashboard.post("/stores/<int:store_id>/rooms/types/<int:type_id>/rates", scope=WRITE_STORE)
async def update_rates(visit: Visit, store_id: int, type_id: int) -> Response:
    """Set or remove prices of weekdays, or of a period of nights."""
    pricing = await visit.read_form("PUT", RATES, id=store_id, typeId=type_id)
    if await pricing.submit() is None:
        found = await visit.api.get(ROOM_TYPE, id=store_id, typeId=type_id)
        return await _render_type(visit, visit.form("PUT", ROOM_TYPE, found), found, pricing)
    return visit.redirect(f"/stores/{store_id}/rooms/types/{type_id}", notice=_("Rates saved."))


@dashboard.post("/stores/<int:store_id>/rooms/types/<int:type_id>/delete", scope=WRITE_STORE)
async def delete_room_type(visit: Visit, store_id: int, type_id: int) -> Response:
    """Delete a room type that has no rooms and was never booked."""
    return await visit.act(
        "DELETE", ROOM_TYPE, to=f"/stores/{store_id}/rooms/types", notice=_("Room type deleted."), id=store_id,
        typeId=type_id,
    )  # fmt: skip


async def _render_type(
    visit: Visit, form: Form, room_type: dict[str, Any] | None, pricing: Form | None = None
) -> Response:
    rates = None
    if room_type is not None:
        rates = await visit.api.get(RATES, id=visit.store.id, typeId=room_type["id"])
    return await visit.render(
        "hotel/dashboard/room_type.html",
        status=422 if form.is_refused or (pricing is not None and pricing.is_refused) else 200,
        form=form,
        room_type=room_type,
        rates=rates,
        weekday_form=_choose(visit, pricing, "weekdays", {"weekdays": rates["weekdays"]} if rates else {}),
        night_form=_choose(visit, pricing, "nights", {}),
        weekdays=dict(zip(WEEKDAYS, map(_, WEEKDAY_LABELS), strict=True)),
    )


def _choose(visit: Visit, sent: Form | None, part: str, values: dict[str, Any]) -> Form:
    """Return the form that was sent if it is about this part of the rates, or one that shows values."""
    return sent if sent is not None and part in sent.values else visit.form("PUT", RATES, values)
