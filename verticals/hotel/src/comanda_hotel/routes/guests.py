"""Routes for the forms on the pages of a hotel: booking a stay and cancelling it."""

from comanda.contracts import PUBLIC, Call, Routes, parse_body
from comanda.web import store_guests, translate_errors

from comanda_hotel.pages.guest_refusals import SENTENCES
from comanda_hotel.schemas.stays import GuestStayBody, GuestStayOut
from comanda_hotel.services import guest_stays, hotels, stay_links

routes = Routes("Hotel pages", callers=PUBLIC, prefix="", is_documented=False)


@routes.post("/s/{slug}/rooms/{typeId}/stays", answers=GuestStayOut)
async def book_stay(call: Call, slug: str, type_id: int) -> dict[str, str]:
    """Book a stay from the hotel's page. A ``client_uuid`` that was used before returns the first stay."""
    await store_guests.check_guest_call(call, "hotel-page")
    with translate_errors(call.headers) as language, store_guests.translate_refusals(SENTENCES):
        store = await store_guests.get_public_store(slug)
        guest = await store_guests.find_guest(call, store)
        body = parse_body(GuestStayBody, call.body)
        stay = await guest_stays.book_stay(guest, store.id, type_id, body, call.body, language.code)
        hotel = await hotels.get_hotel(guest, store.id)
        return {"url": await stay_links.create_path(store.owner_id, stay.id, stay.check_out, hotel.today())}


@routes.post("/stays/{stayId}/cancellation", status=200, answers=GuestStayOut)
async def cancel_stay(call: Call, stay_id: int) -> dict[str, str]:
    """Cancel a stay from its page, by the link that the guest has."""
    await store_guests.check_guest_call(call, "hotel-page")
    expires, signature = call.query.get("expires", ""), call.query.get("signature", "")
    with translate_errors(call.headers), store_guests.translate_refusals(SENTENCES):
        owner_id, store_id = await stay_links.find_store(stay_id, expires, signature)
        store = await store_guests.get_store(owner_id, store_id)
        await guest_stays.cancel_stay(store.guest, store_id, stay_id)
    return {"url": f"/stays/{stay_id}?expires={expires}&signature={signature}"}
