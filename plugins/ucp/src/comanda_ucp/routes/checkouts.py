"""Routes of checkouts."""

from typing import Final

from comanda.contracts import PUBLIC, Answer, Call, Routes, Unvalidated

from comanda_ucp.routes.answers import answer_agent
from comanda_ucp.routes.protocol import STORE, UCP, admit_agent
from comanda_ucp.schemas import CheckoutBody, CompletionBody, NewCheckoutBody
from comanda_ucp.services import checkouts, completion

# As many as a store's page takes of one address.
ORDERS_PER_MINUTE: Final = 30
routes = Routes("Shopping agents", callers=PUBLIC, prefix="", is_documented=False, protocol=UCP)


@routes.post(f"{STORE}/checkout-sessions")
async def create_checkout(call: Call, slug: str) -> Answer:
    """Create a checkout, from lines or from a cart."""
    store = await admit_agent(call, slug)
    body = Unvalidated(NewCheckoutBody, call.body).validated()
    return await answer_agent(call, store, "create_checkout", lambda: checkouts.create(store, body))


@routes.get(f"{STORE}/checkout-sessions/{{token}}")
async def get_checkout(call: Call, slug: str, token: str) -> Answer:
    """Return a checkout."""
    return Answer(await checkouts.get(await admit_agent(call, slug), token))


@routes.put(f"{STORE}/checkout-sessions/{{token}}")
async def update_checkout(call: Call, slug: str, token: str) -> Answer:
    """Replace the contents of a checkout."""
    store = await admit_agent(call, slug)
    body = Unvalidated(CheckoutBody, call.body).validated()
    return await answer_agent(call, store, "update_checkout", lambda: checkouts.update(store, token, body))


@routes.post(f"{STORE}/checkout-sessions/{{token}}/complete", status=200)
async def complete_checkout(call: Call, slug: str, token: str) -> Answer:
    """Place the order of a checkout."""
    store = await admit_agent(call, slug)
    await call.count(f"ucp-orders:{store.menu.terms.id}:{call.client_network}", ORDERS_PER_MINUTE)
    body = Unvalidated(CompletionBody, call.body).validated()
    return await answer_agent(call, store, "complete_checkout", lambda: completion.complete(store, token, body))


@routes.post(f"{STORE}/checkout-sessions/{{token}}/cancel", status=200)
async def cancel_checkout(call: Call, slug: str, token: str) -> Answer:
    """Cancel a checkout."""
    store = await admit_agent(call, slug)
    return await answer_agent(call, store, "cancel_checkout", lambda: checkouts.cancel(store, token))
