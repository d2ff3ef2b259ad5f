"""The account on a store's page: sign-in by code, profile, addresses, past orders, and the saved cart.

The customer is known by the cookie of a web session, so calls that change something must come from this host's pages.
"""

from typing import Final, TypeVar

from comanda.contracts import PUBLIC, Answer, Call, Caller, PageRequest, Routes
from comanda.web import (
    check_page_call,
    check_page_read,
    customer_cookie,
    expired_customer_cookie,
    find_customer_session,
    get_browser_name,
    translate_errors,
)
from pydantic import BaseModel

from comanda_customers.records.customers import SavedAddress
from comanda_customers.routes.login import MAX_CODES_PER_MINUTE, MAX_LOGINS_PER_MINUTE
from comanda_customers.schemas.accounts import CodeBody, CodeRequest, CodeSent, ProfileChange
from comanda_customers.schemas.addresses import AddressBody, AddressChange
from comanda_customers.schemas.store_pages import Account, CartChange, CartOut, NameChange, PastOrders, SavedAddresses
from comanda_customers.services import addresses, profiles, stores
from comanda_customers.services.ordering import past_orders, saved_carts
from comanda_customers.services.sign_in import login, page_sessions
from comanda_customers.services.stores import CustomerStore

M = TypeVar("M", bound=BaseModel)

routes = Routes("Store page", callers=PUBLIC, prefix="", is_documented=False)

# Guests at the tables of a store often share one IP address.
CALLS_PER_MINUTE: Final = 300
PRIVATE_HEADERS: Final = {"Cache-Control": "no-store", "Vary": "Cookie"}


@routes.get("/s/{slug}/account", answers=Account)
async def get_account(call: Call, slug: str) -> Answer:
    """Get who is signed in on the store's page, with their cart and addresses."""
    store = await _open_for_read(call, slug)
    session = await find_customer_session(call, store.owner_id, store.id)
    return _answer(await _get_account(session.caller) if session is not None else Account())


@routes.post("/s/{slug}/account/code", status=200, answers=CodeSent)
async def request_code(call: Call, slug: str, body: CodeRequest) -> Answer:
    """Send a code to sign in by; the answer is the same whether or not the phone is known."""
    store = await _open(call, slug)
    await call.count(f"customer_code:{store.id}:{call.client_network}", MAX_CODES_PER_MINUTE)
    with translate_errors(call.headers):
        language = call.headers.get("accept-language")
        lifetime = await login.request_code(store, body, language, source=call.client_network)
    return _answer(CodeSent(sent=True, expires_in=int(lifetime.total_seconds())))


@routes.post("/s/{slug}/account/session", status=200, answers=Account)
async def sign_in(call: Call, slug: str, body: CodeBody) -> Answer:
    """Sign in with a code, for this browser and this store."""
    store = await _open(call, slug)
    await call.count(f"customer_verify:{store.id}:{call.client_network}", MAX_LOGINS_PER_MINUTE)
    before = await find_customer_session(call, store.owner_id, store.id)
    name = get_browser_name(call.headers.get("user-agent", ""))
    with translate_errors(call.headers):
        opened = await page_sessions.open_session(store, body, before, name=name, source=call.client_network)
    return _answer(await _get_account(opened.caller), cookie=customer_cookie(store.id, opened.secret))


@routes.delete("/s/{slug}/account/session", status=200, answers=Account)
async def sign_out(call: Call, slug: str) -> Answer:
    """Sign out in this browser."""
    store = await _open(call, slug)
    await page_sessions.close_session(call, store)
    return _answer(Account(), cookie=expired_customer_cookie(store.id))


@routes.put("/s/{slug}/account/profile", answers=Account)
async def update_name(call: Call, slug: str, body: NameChange) -> Answer:
    """Update the customer's name."""
    caller = await _open_for_customer(call, slug)
    await profiles.update_profile(caller, ProfileChange(name=body.name))
    return _answer(await _get_account(caller))


@routes.post("/s/{slug}/account/addresses", answers=SavedAddress)
async def create_address(call: Call, slug: str, body: AddressBody) -> Answer:
    """Save an address, once however often it is sent; the first becomes the default."""
    caller = await _open_for_customer(call, slug)
    with translate_errors(call.headers):
        return _answer(await addresses.create_address(caller, body))


@routes.put("/s/{slug}/account/addresses/{id}", answers=SavedAddress)
async def update_address(call: Call, slug: str, id: int, body: AddressChange) -> Answer:
    """Update an address, or make it the default."""
    caller = await _open_for_customer(call, slug)
    return _answer(await addresses.update_address(caller, id, body))


@routes.delete("/s/{slug}/account/addresses/{id}", status=200, answers=SavedAddresses)
async def delete_address(call: Call, slug: str, id: int) -> Answer:
    """Delete an address, and return those that are left."""
    caller = await _open_for_customer(call, slug)
    await addresses.delete_address(caller, id)
    return _answer(_read(SavedAddresses, addresses=await _list_addresses(caller)))


@routes.get("/s/{slug}/account/orders", answers=PastOrders)
async def list_orders(call: Call, slug: str) -> Answer:
    """List the customer's latest orders."""
    caller = await page_sessions.require_customer(call, await _open_for_read(call, slug))
    return _answer(_read(PastOrders, orders=await past_orders.list_orders(caller)))


@routes.put("/s/{slug}/account/cart", answers=CartOut)
async def update_cart(call: Call, slug: str, body: CartChange) -> Answer:
    """Save the cart, unless another device has changed it, whose cart is then returned to be merged."""
    caller = await _open_for_customer(call, slug)
    cart, is_saved = await saved_carts.update_cart(caller, body)
    return _answer(_read(CartOut, lines=cart.lines, version=cart.version, is_saved=is_saved))


async def _open(call: Call, slug: str) -> CustomerStore:
    """Return the store of a call that changes something, once the call has been checked."""
    await call.count(f"store-page-account:{call.client_network}", CALLS_PER_MINUTE)
    check_page_call(call)
    return await stores.get_published_store_by_slug(slug)


async def _open_for_read(call: Call, slug: str) -> CustomerStore:
    await call.count(f"store-page-account:{call.client_network}", CALLS_PER_MINUTE)
    check_page_read(call)
    return await stores.get_published_store_by_slug(slug)


async def _open_for_customer(call: Call, slug: str) -> Caller:
    return await page_sessions.require_customer(call, await _open(call, slug))


async def _get_account(caller: Caller) -> Account:
    return _read(
        Account,
        customer=await profiles.get_profile(caller),
        cart=await saved_carts.get_cart(caller),
        addresses=await _list_addresses(caller),
    )


async def _list_addresses(caller: Caller) -> list[SavedAddress]:
    return (await addresses.list_addresses(caller, PageRequest(1, addresses.MAX_ADDRESSES))).data


def _read(model: type[M], **fields: object) -> M:
    return model.model_validate(fields, from_attributes=True)


def _answer(body: object, *, cookie: str | None = None) -> Answer:
    return Answer(body, headers={**PRIVATE_HEADERS, **({"Set-Cookie": cookie} if cookie else {})})
