"""Routes of carts."""

from comanda.contracts import PUBLIC, Answer, Call, Routes, Unvalidated

from comanda_ucp.routes.answers import answer_agent
from comanda_ucp.routes.protocol import STORE, UCP, admit_agent
from comanda_ucp.schemas import CartBody
from comanda_ucp.services import carts

routes = Routes("Shopping agents", callers=PUBLIC, prefix="", is_documented=False, protocol=UCP)


@routes.post(f"{STORE}/carts")
async def create_cart(call: Call, slug: str) -> Answer:
    """Create a cart."""
    store = await admit_agent(call, slug)
    body = Unvalidated(CartBody, call.body).validated()
    return await answer_agent(call, store, "create_cart", lambda: carts.create(store, body))


@routes.get(f"{STORE}/carts/{{token}}")
async def get_cart(call: Call, slug: str, token: str) -> Answer:
    """Return a cart."""
    return Answer(await carts.get(await admit_agent(call, slug), token))


@routes.put(f"{STORE}/carts/{{token}}")
async def update_cart(call: Call, slug: str, token: str) -> Answer:
    """Replace the contents of a cart."""
    store = await admit_agent(call, slug)
    body = Unvalidated(CartBody, call.body).validated()
    return await answer_agent(call, store, "update_cart", lambda: carts.update(store, token, body))


@routes.post(f"{STORE}/carts/{{token}}/cancel", status=200)
async def cancel_cart(call: Call, slug: str, token: str) -> Answer:
    """Return a cart as it was, which is gone afterwards."""
    store = await admit_agent(call, slug)
    return await answer_agent(call, store, "cancel_cart", lambda: carts.cancel(store, token))
