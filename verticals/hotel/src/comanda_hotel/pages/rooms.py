"""Rooms: their housekeeping, and the nights on which they are out of order."""

from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_hotel.models import Housekeeping
from comanda_hotel.pages.dashboard import (
    READ_STORE,
    ROOM,
    ROOM_TYPES,
    ROOMS,
    WRITE_STORE,
    dashboard,
    get_labels,
    list_all,
)

BLOCKS: Final = f"{ROOM}/blocks"
ROOMS_PER_PAGE: Final = 50
# What housekeeping does next, by the status of a room.
NEXT: Final = {
    Housekeeping.DIRTY: (Housekeeping.CLEAN,),
    Housekeeping.CLEAN: (Housekeeping.INSPECTED, Housekeeping.DIRTY),
    Housekeeping.INSPECTED: (Housekeeping.DIRTY,),
    Housekeeping.OUT_OF_ORDER: (Housekeeping.DIRTY,),
}


@dashboard.get("/stores/<int:store_id>/rooms", scope=READ_STORE)
async def list_rooms(visit: Visit, store_id: int) -> Response:
    """List the rooms with their housekeeping status, all or those of a status."""
    filters = visit.query("status")
    if filters.get("status") not in set(Housekeeping):
        filters = {}
    rooms = await visit.api.get(
        ROOMS, id=store_id, query={**filters, **visit.query("page"), "per_page": ROOMS_PER_PAGE}
    )
    return await visit.render(
        "hotel/dashboard/rooms.html", rooms=rooms, shown=filters.get("status", ""), next_statuses=NEXT, **get_labels()
    )


@dashboard.get("/stores/<int:store_id>/rooms/new", scope=WRITE_STORE)
async def show_new_room(visit: Visit, store_id: int) -> Response:
    return await _render_new(visit, visit.form("POST", ROOMS))


@dashboard.post("/stores/<int:store_id>/rooms/new", scope=WRITE_STORE)
async def create_room(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", ROOMS, id=store_id)
    if await form.submit() is None:
        return await _render_new(visit, form)
    return visit.redirect(f"/stores/{store_id}/rooms", notice=_("Room created."))


@dashboard.get("/stores/<int:store_id>/rooms/<int:room_id>", scope=READ_STORE)
async def show_room(visit: Visit, store_id: int, room_id: int) -> Response:
    """Show a room, its housekeeping status and the nights on which it is out of order."""
    room = await visit.api.get(ROOM, id=store_id, roomId=room_id)
    return await _render_room(visit, room, visit.form("PUT", ROOM, room))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>", scope=WRITE_STORE)
async def update_room(visit: Visit, store_id: int, room_id: int) -> Response:
    form = await visit.read_form("PUT", ROOM, id=store_id, roomId=room_id)
    if await form.submit() is None:
        return await _render_room(visit, await visit.api.get(ROOM, id=store_id, roomId=room_id), form)
    return visit.redirect(f"/stores/{store_id}/rooms/{room_id}", notice=_("Room saved."))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/status", scope=WRITE_STORE)
async def update_room_status(visit: Visit, store_id: int, room_id: int) -> Response:
    """Set the housekeeping status of a room, from its page or from the list."""
    sent = await visit.read_texts()
    shown = sent.get("_shown", "")
    back = f"?status={shown}" if shown in set(Housekeeping) else ""
    return await visit.act(
        "PUT", f"{ROOM}/status", body={"status": sent.get("status", "")}, id=store_id, roomId=room_id,
        to=f"/stores/{store_id}/rooms{back}" if "_shown" in sent else f"/stores/{store_id}/rooms/{room_id}",
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/delete", scope=WRITE_STORE)
async def delete_room(visit: Visit, store_id: int, room_id: int) -> Response:
    """Delete a room that no stay was ever assigned to."""
    return await visit.act(
        "DELETE", ROOM, to=f"/stores/{store_id}/rooms", notice=_("Room deleted."), id=store_id, roomId=room_id
    )


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/blocks", scope=WRITE_STORE)
async def create_block(visit: Visit, store_id: int, room_id: int) -> Response:
    """Take a room out of order for some nights."""
    blocking = await visit.read_form("POST", BLOCKS, id=store_id, roomId=room_id)
    if await blocking.submit() is None:
        room = await visit.api.get(ROOM, id=store_id, roomId=room_id)
        return await _render_room(visit, room, visit.form("PUT", ROOM, room), blocking)
    return visit.redirect(f"/stores/{store_id}/rooms/{room_id}", notice=_("The room is out of order on these nights."))


@dashboard.post("/stores/<int:store_id>/rooms/<int:room_id>/blocks/<int:block_id>/delete", scope=WRITE_STORE)
async def delete_block(visit: Visit, store_id: int, room_id: int, block_id: int) -> Response:
    """Put a room back in order for the nights of a block."""
    return await visit.act(
        "DELETE", f"{BLOCKS}/{{blockId}}", to=f"/stores/{store_id}/rooms/{room_id}", id=store_id, roomId=room_id,
        blockId=block_id, notice=_("The room is in order on these nights again."),
    )  # fmt: skip


async def _render_new(visit: Visit, form: Form) -> Response:
    return await visit.render("hotel/dashboard/new_room.html", form=form, room_types=await _list_types(visit))


async def _render_room(visit: Visit, room: dict[str, Any], form: Form, blocking: Form | None = None) -> Response:
    blocks = await visit.api.get(BLOCKS, id=visit.store.id, roomId=room["id"], query=visit.query("page"))
    return await visit.render(
        "hotel/dashboard/room.html",
        status=422 if form.is_refused or (blocking is not None and blocking.is_refused) else 200,
        room=room,
        form=form,
        blocking=blocking or visit.form("POST", BLOCKS),
        blocks=blocks,
        room_types=await _list_types(visit),
        **get_labels(),
    )


async def _list_types(visit: Visit) -> list[tuple[int, str]]:
    return [(each["id"], each["name"]) for each in await list_all(visit, ROOM_TYPES)]
