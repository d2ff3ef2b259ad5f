"""The pages on which guests of a store reserve a table and find their reservation again."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import Body, Pages, StoreLink, StoreTerms, parse_query
from comanda.web import N_, GuestStore, format_minor, store_guests, translate_sentence
from quart import Blueprint, Response, abort, render_template, request

from comanda_reservations.pages.dashboard import STATUS_LABELS
from comanda_reservations.participant import PARTICIPANT_NAME
from comanda_reservations.schemas import Day, PartySize
from comanda_reservations.services import availability, guest_reservations, reservation_rules, reservations
from comanda_reservations.services.deposit_views import view_deposit
from comanda_reservations.services.reservation_rules import MAX_ADVANCE, ReservationRules

DEFAULT_PARTY: Final = 2
# What was free a moment ago may be taken.
HEADERS: Final = {"Cache-Control": "no-store"}
PRIVATE_HEADERS: Final = {**HEADERS, "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}
SEARCH_FIELDS: Final = ("day", "party_size")


class TableQuery(Body):
    """The day and the party of a search."""

    day: Day | None = None
    party_size: PartySize = DEFAULT_PARTY


def has_tables(terms: StoreTerms) -> bool:
    """Return whether a store has told which tables it has, so that they can be reserved."""
    parts = (part for joined in terms.parts.values() for part in joined)
    return any(part.participant.name == PARTICIPANT_NAME and bool(part.loaded) for part in parts)


blueprint: Final = Blueprint("reservations", __name__, template_folder="templates")
pages: Final = Pages(
    blueprint,
    store_links=(StoreLink(N_("Reserve a table"), "/s/{slug}/tables", has_tables),),
    guest_paths=("/reservations/",),
)


@blueprint.get("/s/<slug>/tables")
async def show_times(slug: str) -> Response:
    """Return the times of a day at which a party can be seated, and the form to reserve one of them."""
    store, rules = await find_page_store(slug)
    today = clock.now().astimezone(store.zone).date()
    asked = {name: text for name in SEARCH_FIELDS if (text := request.args.get(name, "").strip())}
    times: Sequence[datetime] = ()
    errors: dict[str, str] = {}
    try:
        query = parse_query(TableQuery, asked)
        day = query.day or await _find_first_day(store, query.party_size, today)
        times = await availability.list_free_times(store.guest, store.id, day, query.party_size)
        asked = {"day": day.isoformat(), "party_size": str(query.party_size)}
    except ValidationFailed as error:
        errors = {name: translate_sentence(sentences[0]) for name, sentences in error.errors.items()}
    page = await render_template(
        "reservations/guest/tables.html", **_to_search(store, rules, asked), times=times, errors=errors
    )
    return Response(page, headers=HEADERS)


@blueprint.get("/reservations/<int:reservation_id>")
async def show_reservation(reservation_id: int) -> Response:
    """Return a reservation to whoever has its link."""
    expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
    try:
        owner_id, store_id = await guest_reservations.find_store(reservation_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        reserved = await reservations.get_reservation(store.guest, store_id, reservation_id)
    except NotFound:
        abort(404)
    is_held = reserved.status == "pending"
    deposit = await view_deposit(owner_id, reserved.deposit, is_held=is_held)
    page = await render_template(
        "reservations/guest/reservation.html",
        store=store,
        reservation=reserved,
        status=STATUS_LABELS["confirmed" if is_held and deposit and deposit.is_paid else reserved.status],
        deposit=deposit,
        can_cancel=guest_reservations.can_cancel(reserved, clock.now()),
        cancel_path=f"/reservations/{reservation_id}/cancellation?expires={expires}&signature={signature}",
    )
    return Response(page, headers=PRIVATE_HEADERS)


async def find_page_store(slug: str) -> tuple[GuestStore, ReservationRules]:
    """Return a public store that takes reservations of tables, and its rules; answer 404 for any other."""
    try:
        store = await store_guests.get_public_store(slug)
    except NotFound:
        abort(404)
    if not store.has("tables", "reservations"):
        abort(404)
    return store, await reservation_rules.get_reservation_rules(store.owner_id, store.id)


async def _find_first_day(store: GuestStore, party_size: int, today: date) -> date:
    """Return today, or tomorrow if nothing is free any more today."""
    times = await availability.list_free_times(store.guest, store.id, today, party_size)
    return today if times else today + timedelta(days=1)


def _get_deposit_minor(rules: ReservationRules, asked: dict[str, str]) -> int | None:
    size = asked.get("party_size", str(DEFAULT_PARTY))
    return (rules.get_deposit_minor(int(size)) if size.isascii() and size.isdigit() else 0) or None


def _to_search(store: GuestStore, rules: ReservationRules, asked: dict[str, str]) -> dict[str, Any]:
    today = clock.now().astimezone(store.zone).date()
    return {
        "store": store,
        "rules": rules,
        "asked": {"day": today.isoformat(), "party_size": str(DEFAULT_PARTY), **asked},
        "deposit": format_minor(_get_deposit_minor(rules, asked), rules.currency),
        "free_hours": int(rules.deposit_free.total_seconds()) // 3600,
        "today": today,
        "last_day": today + MAX_ADVANCE,
    }
