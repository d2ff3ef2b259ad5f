"""The pages of a hotel for its guests: the search for rooms, the booking of one, and a booked stay."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import Caller, Pages, StoreLink, parse_query
from comanda.web import N_, GuestStore, store_guests, translate_sentence
from comanda_reservations.api import view_deposit
from quart import Blueprint, Response, abort, render_template, request

from comanda_hotel.errors import NotAHotel
from comanda_hotel.models import StayStatus
from comanda_hotel.pages.dashboard import FEE_LABELS, STATUS_LABELS
from comanda_hotel.pages.guest_refusals import get_refusal_text
from comanda_hotel.records.availability import RoomAvailability, RoomTypeOffer
from comanda_hotel.schemas.availability import FreeRoomsQuery
from comanda_hotel.services import availability, deposits, folio, guest_stays, hotels, stay_links, stays
from comanda_hotel.services.hotels import CAPABILITY, CHECK_IN_TIME, CHECK_OUT_TIME, MAX_DAYS_AHEAD, Hotel

blueprint: Final = Blueprint("hotel", __name__, template_folder="templates")
pages: Final = Pages(
    blueprint,
    store_links=(
        StoreLink(
            N_("Book a room"),
            "/s/{slug}/rooms",
            lambda terms: terms.vertical is not None and CAPABILITY in terms.vertical.capabilities,
        ),
    ),
    guest_paths=("/stays/",),
)

SEARCH_FIELDS: Final = ("check_in", "check_out", "adults", "children")
DEFAULT_ADULTS: Final = 2
# What was free a moment ago may be taken.
HEADERS: Final = {"Cache-Control": "no-store"}
PRIVATE_HEADERS: Final = {**HEADERS, "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}


@blueprint.get("/s/<slug>/rooms")
async def show_rooms(slug: str) -> Response:
    """Return the room types that are free for the nights and the party of the query, with their prices."""
    store, hotel = await _find_hotel(slug)
    searched, errors = await _search(store.guest, hotel)
    page = await render_template("hotel/guest/rooms.html", **_to_search(store, hotel, searched), errors=errors)
    return Response(page, headers=HEADERS)


@blueprint.get("/s/<slug>/rooms/<int:type_id>")
async def show_room(slug: str, type_id: int) -> Response:
    """Return the form to book a room of a type for the nights and the party of the query."""
    store, hotel = await _find_hotel(slug)
    searched, errors = await _search(store.guest, hotel)
    found = [each for each in (searched.room_types if searched else ()) if each.room_type_id == type_id]
    if not found and not errors:
        abort(404)
    values = _to_search(store, hotel, searched)
    offer = next(iter(found), None)
    deposit = None if offer is None else await _to_deposit(hotel, offer)
    page = await render_template("hotel/guest/room.html", **values, errors=errors, offer=offer, deposit=deposit)
    return Response(page, headers=HEADERS)


@blueprint.get("/stays/<int:stay_id>")
async def show_stay(stay_id: int) -> Response:
    """Return a booked stay to whoever has its link."""
    expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
    try:
        owner_id, store_id = await stay_links.find_store(stay_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        stay = await stays.get_stay(store.guest, store_id, stay_id)
        hotel = await hotels.get_hotel(store.guest, store_id)
    except NotFound:
        abort(404)
    is_held, is_no_show = stay.status is StayStatus.OPTIONAL, stay.status is StayStatus.NO_SHOW
    deposit = await view_deposit(owner_id, stay.deposit, is_held=stay.status is not StayStatus.CANCELLED)
    page = await render_template(
        "hotel/guest/stay.html",
        store=store,
        stay=stay,
        status=STATUS_LABELS[StayStatus.CONFIRMED if is_held and deposit and deposit.is_paid else stay.status],
        deposit=deposit,
        is_held=is_held,
        fee_label=FEE_LABELS[deposit.deposit.status] if deposit and is_no_show else None,
        unpaid=await folio.list_unpaid_orders(owner_id, stay_id),
        can_cancel=guest_stays.can_cancel(stay, hotel.today()),
        cancel_path=f"/stays/{stay_id}/cancellation?expires={expires}&signature={signature}",
        times=_get_times(),
    )
    return Response(page, headers=PRIVATE_HEADERS)


async def _to_deposit(hotel: Hotel, offer: RoomTypeOffer) -> dict[str, Any] | None:
    """Return what is paid in advance for an offer, and until when it is refunded; None for nothing."""
    policy = await deposits.get_policy(hotel)
    prices_minor = [night.price.minor for night in offer.nightly]
    amount_minor = deposits.calculate_deposit_minor(policy, prices_minor, hotel.currency)
    free_until = deposits.get_free_until(hotel, policy, offer.nightly[0].date)
    return (
        {
            "amount": hotel.to_money(amount_minor),
            "is_whole": amount_minor == sum(prices_minor),
            "free_until": free_until if clock.now() <= free_until else None,
            "hold_minutes": policy.deposit_hold_minutes,
        }
        if amount_minor
        else None
    )


async def _find_hotel(slug: str) -> tuple[GuestStore, Hotel]:
    try:
        store = await store_guests.get_public_store(slug)
        return store, await hotels.get_hotel(store.guest, store.id)
    except (NotFound, NotAHotel):
        abort(404)


async def _search(guest: Caller, hotel: Hotel) -> tuple[RoomAvailability | None, Mapping[str, str]]:
    """Return what is free for the query, or the sentence against each field."""
    asked = {name: text for name in SEARCH_FIELDS if (text := request.args.get(name, "").strip())}
    try:
        query = parse_query(FreeRoomsQuery, {"adults": str(DEFAULT_ADULTS), **asked})
        return await availability.search_availability(guest, hotel.id, query), {}
    except ValidationFailed as error:
        return None, {name: translate_sentence(sentences[0]) for name, sentences in error.errors.items()}


def _to_search(store: GuestStore, hotel: Hotel, searched: RoomAvailability | None) -> dict[str, Any]:
    today = hotel.today()
    asked: dict[str, Any] = {
        "check_in": today,
        "check_out": today + timedelta(days=1),
        "adults": DEFAULT_ADULTS,
        "children": 0,
        **{name: text for name in SEARCH_FIELDS if (text := request.args.get(name, "").strip())},
    }
    if searched is not None:
        asked |= {name: getattr(searched, name) for name in SEARCH_FIELDS}
    return {
        "store": store,
        "searched": searched,
        "asked": asked,
        "today": today,
        "last_day": today + timedelta(days=MAX_DAYS_AHEAD),
        "get_refusal_text": get_refusal_text,
        "times": _get_times(),
    }


def _get_times() -> dict[str, str]:
    return {"check_in": f"{CHECK_IN_TIME:%H:%M}", "check_out": f"{CHECK_OUT_TIME:%H:%M}"}
