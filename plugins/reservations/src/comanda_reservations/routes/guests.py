"""Routes for the forms on a store's page: reserving a table and cancelling the reservation."""

from comanda.contracts import PUBLIC, Call, Routes, parse_body
from comanda.web import store_guests, translate_errors

from comanda_reservations.pages.guest_refusals import SENTENCES
from comanda_reservations.schemas import GuestReservationBody, GuestReservationOut
from comanda_reservations.services import guest_reservations

routes = Routes("Reservation pages", callers=PUBLIC, prefix="", is_documented=False)


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
