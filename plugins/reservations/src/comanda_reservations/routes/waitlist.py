"""Routes of a store's waitlist."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header

from comanda_reservations.models import WaitingStatus
from comanda_reservations.records import WaitingParty, WaitQuote
from comanda_reservations.schemas import WaitingEndBody, WaitingPartyBody, WaitingSeatBody, WaitQuoteQuery
from comanda_reservations.services import wait_quotes, waitlist

routes = Routes("Reservations")


@routes.get("/restaurants/{id}/waitlist", scope="orders:read")
async def list_parties(caller: Caller, id: int, page: PageRequest) -> RecordPage[WaitingParty]:
    """List the parties on a store's waitlist in the order of the line, 20 per page."""
    return await waitlist.list_parties(caller, id, page)


@routes.post("/restaurants/{id}/waitlist", scope="orders:write", answers=WaitingParty, headers=(key_header("party"),))
async def add_party(caller: Caller, call: Call, id: int, body: WaitingPartyBody) -> Answer:
    """Add a party to the waitlist. An ``Idempotency-Key`` that was used before returns the first party."""
    created = await waitlist.add_party(caller, id, body, IdempotencyKey.of(call))
    return created.answer()


@routes.get("/restaurants/{id}/waitlist/quote", scope="orders:read")
async def get_quote(caller: Caller, id: int, query: WaitQuoteQuery) -> WaitQuote:
    """Get how long a party that joins the waitlist now would wait."""
    return await wait_quotes.get_quote(caller, id, query.party_size)


@routes.get("/restaurants/{id}/waitlist/{partyId}", scope="orders:read")
async def get_party(caller: Caller, id: int, party_id: int) -> WaitingParty:
    """Get a party that is or was on the waitlist."""
    return await waitlist.get_party(caller, id, party_id)


@routes.post("/restaurants/{id}/waitlist/{partyId}/call", scope="orders:write", status=200)
async def call_party(caller: Caller, id: int, party_id: int) -> WaitingParty:
    """Call a party to its table, by SMS if it left a number. Answers 409 within 2 minutes of the last call."""
    return await waitlist.call_party(caller, id, party_id)


@routes.post("/restaurants/{id}/waitlist/{partyId}/seat", scope="orders:write", status=200)
async def seat_party(caller: Caller, id: int, party_id: int, body: WaitingSeatBody) -> WaitingParty:
    """Seat a party at free tables. Answers 409 if they are taken, or if the party was seated or has left."""
    return await waitlist.seat_party(caller, id, party_id, body)


@routes.put("/restaurants/{id}/waitlist/{partyId}/status", scope="orders:write")
async def end_wait(caller: Caller, id: int, party_id: int, body: WaitingEndBody) -> WaitingParty:
    """Remove a party from the line that has left, or did not come when it was called."""
    return await waitlist.end_wait(caller, id, party_id, WaitingStatus(body.status))
