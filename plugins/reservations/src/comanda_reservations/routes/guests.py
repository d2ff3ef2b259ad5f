"""Routes for the forms on a store's page: reserving a table, cancelling the reservation, and the waitlist."""

from comanda.contracts import PUBLIC, Call, Routes, parse_body
from comanda.web import store_guests, translate_errors

from comanda_reservations.models import WaitingStatus
from comanda_reservations.pages.guest_refusals import SENTENCES, WAITLIST_SENTENCES
from comanda_reservations.schemas import GuestReservationBody, GuestReservationOut, GuestWaitingBody, GuestWaitingOut
from comanda_reservations.services import guest_reservations, guest_waitlist, table_ready, waitlist

routes = Routes("Reservation pages", callers=PUBLIC, prefix="", is_documented=False)
# All guests of a store together.
JOINS_PER_MINUTE = 30


@routes.post("/s/{slug}/reservations", answers=GuestReservationOut)
async def reserve_table(call: Call, slug: str) -> dict[str, str]:
    """Reserve a table from the store's page. A ``client_uuid`` that was used before returns the first reservation."""
    await store_guests.check_guest_call(call, "reservation-page")
    with translate_errors(call.headers) as language, store_guests.translate_refusals(SENTENCES):
        store = await store_guests.get_public_store(slug)
        guest = await store_guests.find_guest(call, store)
        body = parse_body(GuestReservationBody, call.body)
        reserved = await guest_reservations.reserve_table(guest, store.id, body, call.body, language.code)
        return {"url": await guest_reservations.create_link(store.owner_id, reserved)}


@routes.post("/reservations/{reservationId}/cancellation", status=200, answers=GuestReservationOut)
async def cancel_reservation(call: Call, reservation_id: int) -> dict[str, str]:
    """Cancel a reservation from its page, by the link that the guest has."""
    await store_guests.check_guest_call(call, "reservation-page")
    expires, signature = call.query.get("expires", ""), call.query.get("signature", "")
    with translate_errors(call.headers), store_guests.translate_refusals(SENTENCES):
        owner_id, store_id = await guest_reservations.find_store(reservation_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        await guest_reservations.cancel_reservation(store.guest, store_id, reservation_id)
    return {"url": f"/reservations/{reservation_id}?expires={expires}&signature={signature}"}


@routes.post("/s/{slug}/waitlist/parties", answers=GuestWaitingOut)
async def join_waitlist(call: Call, slug: str) -> dict[str, str]:
    """Join the waitlist from the store's page. A ``client_uuid`` that was used before returns the first party."""
    await store_guests.check_guest_call(call, "waitlist-page")
    with translate_errors(call.headers) as language, store_guests.translate_refusals(WAITLIST_SENTENCES):
        store = await store_guests.get_public_store(slug)
        await call.count(f"waitlist:{store.owner_id}:{store.id}", JOINS_PER_MINUTE)
        body = parse_body(GuestWaitingBody, call.body)
        joined = await guest_waitlist.join(store, body, call.body, language.code)
        return {"url": await table_ready.create_path(store.owner_id, joined.id)}


@routes.post("/reservations/waitlist/{partyId}/departure", status=200, answers=GuestWaitingOut)
async def leave_waitlist(call: Call, party_id: int) -> dict[str, str]:
    """Leave the waitlist from the page of the wait, by the link that the guest has."""
    await store_guests.check_guest_call(call, "waitlist-page")
    expires, signature = call.query.get("expires", ""), call.query.get("signature", "")
    with translate_errors(call.headers), store_guests.translate_refusals(WAITLIST_SENTENCES):
        owner_id, store_id = await guest_waitlist.find_store(party_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        await waitlist.end_wait(store.guest, store_id, party_id, WaitingStatus.LEFT)
    return {"url": f"/reservations/waitlist/{party_id}?expires={expires}&signature={signature}"}
