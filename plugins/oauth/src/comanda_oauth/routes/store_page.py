"""What the customer who is signed in on a store's page has connected, such as assistants."""

from typing import Final

from comanda.contracts import PUBLIC, Answer, Call, Caller, Routes
from comanda.web import GuestStore, check_page_call, check_page_read, find_customer_session, store_guests

from comanda_oauth.schemas import ConnectionsOut
from comanda_oauth.services.installations import connections
from comanda_oauth.services.server_metadata import find_customer_server

routes = Routes("Store page", callers=PUBLIC, prefix="", is_documented=False)

# Guests at the tables of a store often share one IP address.
CALLS_PER_MINUTE: Final = 300
PRIVATE_HEADERS: Final = {"Cache-Control": "no-store", "Vary": "Cookie"}


@routes.get("/s/{slug}/account/connections", answers=ConnectionsOut)
async def list_connections(call: Call, slug: str) -> Answer:
    """List what the customer has connected, and the address by which to connect more; nobody has nothing."""
    check_page_read(call)
    store, customer = await _open(call, slug)
    return await _answer(store, customer)


@routes.delete("/s/{slug}/account/connections/{id}", status=200, answers=ConnectionsOut)
async def disconnect(call: Call, slug: str, id: int) -> Answer:
    """End a connection and its tokens, and return those that are left."""
    check_page_call(call)
    store, customer = await _open(call, slug)
    if customer is not None:
        await connections.disconnect(customer, id)
    return await _answer(store, customer)


async def _open(call: Call, slug: str) -> tuple[GuestStore, Caller | None]:
    await call.count(f"store-page-account:{call.client_network}", CALLS_PER_MINUTE)
    store = await store_guests.get_public_store(slug)
    session = await find_customer_session(call, store.owner_id, store.id)
    return store, None if session is None else session.caller


async def _answer(store: GuestStore, customer: Caller | None) -> Answer:
    found = [] if customer is None else await connections.list_connections(customer)
    body = {"connections": found, "address": find_customer_server(store.slug)}
    return Answer(ConnectionsOut.model_validate(body, from_attributes=True), headers=PRIVATE_HEADERS)
