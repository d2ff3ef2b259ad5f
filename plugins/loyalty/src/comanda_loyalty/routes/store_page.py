"""The points of the customer who is signed in on the store's page."""

from typing import Final

from comanda.contracts import PUBLIC, Answer, Call, Routes
from comanda.web import check_page_read, find_customer_session, store_guests

from comanda_loyalty.records import OwnPoints
from comanda_loyalty.services import accounts

routes = Routes("Store page", callers=PUBLIC, prefix="", is_documented=False)

# Guests at the tables of a store often share one IP address.
CALLS_PER_MINUTE: Final = 300
PRIVATE_HEADERS: Final = {"Cache-Control": "no-store", "Vary": "Cookie"}


@routes.get("/s/{slug}/loyalty", answers=OwnPoints)
async def get_page_points(call: Call, slug: str) -> Answer:
    """Get the points of who is signed in on the store's page, and its rewards; nobody has none."""
    await call.count(f"store-page-loyalty:{call.client_network}", CALLS_PER_MINUTE)
    check_page_read(call)
    store = await store_guests.get_public_store(slug)
    session = await find_customer_session(call, store.owner_id, store.id)
    points = OwnPoints(0, None, [], []) if session is None else await accounts.get_own_points(session.caller)
    return Answer(points, headers=PRIVATE_HEADERS)
