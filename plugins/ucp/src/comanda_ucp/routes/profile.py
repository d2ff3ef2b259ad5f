"""The profile of a store, at the address where agents look for it."""

from comanda.contracts import PUBLIC, Answer, Routes

from comanda_ucp.routes.protocol import UCP
from comanda_ucp.services import profile
from comanda_ucp.services.stores import get_offered_store

routes = Routes("Shopping agents", callers=PUBLIC, prefix="", is_documented=False, protocol=UCP)


@routes.get("/s/{slug}/.well-known/ucp")
async def get_profile(slug: str) -> Answer:
    """Return where agents call a store and what they can do there; at a host of its own it is ``/.well-known/ucp``."""
    store = await get_offered_store(slug)
    return Answer(profile.describe_store(store), headers={"Cache-Control": "public, max-age=300"})
