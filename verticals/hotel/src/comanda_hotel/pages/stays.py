"""Lists of stays, and the page of a stay with what the front desk does about it."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

from comanda.contracts import PER_PAGE
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from comanda_payments.api import list_desk_methods
from comanda_reservations.api import DEPOSIT_LABELS
from quart import Response, request

from comanda_hotel.models import Housekeeping, StayStatus
from comanda_hotel.pages.dashboard import (
    FEE_LABELS,
    OCCUPANCY,
    READ,
    STAY,
    STAYS,
    WRITE,
    dashboard,
    get_labels,
    get_today,
    list_all,
    parse_day,
)
from comanda_hotel.services import stay_links

ROOM_OF_STAY: Final = f"{STAY}/room"
STATUS: Final = f"{STAY}/status"
DEPOSIT: Final = f"{STAY}/deposit"
PAYMENTS: Final = f"{STAY}/payments"
OPEN: Final = frozenset({StayStatus.OPTIONAL, StayStatus.CONFIRMED, StayStatus.CHECKED_IN})
# The longest that the occupancy can be asked for at once.
MAX_NIGHTS: Final = timedelta(days=92)
VIEWS: Final = ("arrivals", "departures", "in_house", "all")
TIMELINE_ORDER: Final = ("created_at", "confirmed_at", "checked_in_at", "checked_out_at", "cancelled_at", "no_show_at")


@dashboard.get("/stores/<int:store_id>/stays/list", scope=READ)
async def list_stays(visit: Visit, store_id: int) -> Response:
    """List the arrivals or the departures of a day, the guests in house, or all stays."""
    view = request.args.get("show", "")
    view = view if view in VIEWS else VIEWS[0]
    day = parse_day(request.args.get("on", "")) or get_today(visit)
    filters: dict[str, Any] = {
        "arrivals": {"arrivals_on": day.isoformat()},
        "departures": {"departures_on": day.isoformat()},
        "in_house": {"in_house": "true"},
        "all": visit.query("search", "status"),
    }[view]
    if filters.get("status") not in set(StayStatus):
        filters.pop("status", None)
    return await visit.render(
        "hotel/dashboard/stays.html",
        stays=await visit.api.get(STAYS, id=store_id, query={**filters, **visit.query("page"), "per_page": PER_PAGE}),
        view=view,
        day=day,
        before=day - timedelta(days=1),
        after=day + timedelta(days=1),
        filters=filters,
        **get_labels(),
    )


@dashboard.get("/stores/<int:store_id>/stays/<int:stay_id>", scope=READ)
async def show_stay(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Show a stay: its nights, its folio, and what can be done next."""
    stay = await visit.api.get(STAY, id=store_id, stayId=stay_id)
    today = get_today(visit)
    is_open = stay["status"] in OPEN
    check_in, check_out = stay["check_in"], stay["check_out"]
    rooms = await _list_free_rooms(visit, stay, max(check_in, today)) if is_open and visit.may(WRITE) else []
    labels = FEE_LABELS if stay["status"] == StayStatus.NO_SHOW else DEPOSIT_LABELS
    return await visit.render(
        "hotel/dashboard/stay.html",
        stay=stay,
        is_open=is_open,
        has_begun=check_in <= today,
        may_arrive=check_in <= today < check_out,
        leaves_early=today < check_out,
        rooms=_to_choices(rooms),
        nights_due=stay["total"] - stay["prepaid"],
        methods=[(method.code, _(method.label)) for method in list_desk_methods()],
        timeline=_list_timeline(stay),
        held_until=_get_hold_end(stay),
        deposits={status: (_(label), tone) for status, (label, tone) in labels.items()},
        guest_path=await stay_links.create_path(visit.caller.owner_id, stay_id, check_out, today),
        **get_labels(),
    )


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/status", scope=WRITE)
async def update_status(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Confirm, check in, check out or cancel a stay, or mark it as a no-show."""
    form = await visit.read_form("PUT", STATUS)
    notices = {
        StayStatus.CONFIRMED: _("Stay confirmed."),
        StayStatus.CHECKED_IN: _("The guests are checked in."),
        StayStatus.CHECKED_OUT: _("The guests are checked out. Their room is dirty."),
        StayStatus.CANCELLED: _("Stay cancelled."),
        StayStatus.NO_SHOW: _("Marked as a no-show. The room is free."),
    }
    return await visit.act(
        "PUT", STATUS, to=f"/stores/{store_id}/stays/{stay_id}", body=form.values, id=store_id, stayId=stay_id,
        notice=notices.get(form.values.get("status", "")),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/room", scope=WRITE)
async def move_stay(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Assign a room to a stay, move the guests to another, or remove the room."""
    form = await visit.read_form("PUT", ROOM_OF_STAY)
    room_id = form.values.get("room_id")
    return await visit.act(
        "PUT", ROOM_OF_STAY, to=f"/stores/{store_id}/stays/{stay_id}", body={"room_id": room_id}, id=store_id,
        stayId=stay_id, notice=_("Room removed.") if room_id is None else _("Room assigned."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/deposit", scope=WRITE)
async def request_deposit(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Request that the guest pays nights online."""
    form = await visit.read_form("PUT", DEPOSIT)
    return await visit.act(
        "PUT", DEPOSIT, to=f"/stores/{store_id}/stays/{stay_id}", body=form.values, id=store_id, stayId=stay_id,
        notice=_("The guest can pay on the guest's page."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/payments", scope=WRITE)
async def create_payment(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Record what guests pay of their nights at the desk."""
    form = await visit.read_form("POST", PAYMENTS)
    return await visit.act(
        "POST", PAYMENTS, to=f"/stores/{store_id}/stays/{stay_id}", body=form.values, id=store_id, stayId=stay_id,
        notice=_("Payment recorded."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/stays/<int:stay_id>/departure", scope=WRITE)
async def update_departure(visit: Visit, store_id: int, stay_id: int) -> Response:
    """Extend a stay, or end it earlier than booked."""
    form = await visit.read_form("PUT", STAY)
    return await visit.act(
        "PUT", STAY, to=f"/stores/{store_id}/stays/{stay_id}", body={"check_out": form.values.get("check_out") or ""},
        id=store_id, stayId=stay_id, notice=_("Departure changed."),
    )  # fmt: skip


async def _list_free_rooms(visit: Visit, stay: dict[str, Any], since: date) -> list[dict[str, Any]]:
    """List the rooms that are free for the rest of a stay, those of its type first."""
    until = min(max(stay["check_out"], since + timedelta(days=1)), since + MAX_NIGHTS)
    rooms = await list_all(visit, OCCUPANCY, {"from": since.isoformat(), "to": until.isoformat()})
    free = [room for room in rooms if _is_free(room, stay)]
    return sorted(free, key=lambda room: bool(room["room_type_id"] != stay["room_type_id"]))


def _get_hold_end(stay: dict[str, Any]) -> Any:
    """Return until when a stay is held; one with a deposit for as long as that can be paid."""
    deposit = stay["deposit"]
    is_held = stay["status"] == StayStatus.OPTIONAL and deposit is not None
    return deposit["due_at"] if is_held else stay["expires_at"]


def _is_free(room: dict[str, Any], stay: dict[str, Any]) -> bool:
    is_usable = room["is_active"] and room["status"] != Housekeeping.OUT_OF_ORDER
    is_taken = any(each["stay_id"] != stay["id"] for each in room["nights"])
    # Guests who stay beyond their last night take no night, but are still in the room.
    return is_usable and not is_taken and room["stay_id"] in (None, stay["id"])


def _to_choices(rooms: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    labels = get_labels()["housekeeping"]
    return [(room["id"], f"{room['number']} · {room['room_type']} · {labels[room['status']][0]}") for room in rooms]


def _list_timeline(stay: dict[str, Any]) -> list[tuple[str, str]]:
    """List when the stay was booked and took each status, in the order of time."""
    labels = {f"{status}_at": label for status, (label, _tone) in get_labels()["statuses"].items()}
    labels["created_at"] = _("Booked")
    known = [(name, moment) for name, moment in stay["timeline"].items() if name in labels]
    known.sort(key=lambda entry: (entry[1], TIMELINE_ORDER.index(entry[0]) if entry[0] in TIMELINE_ORDER else 0))
    return [(labels[name], moment) for name, moment in known]
