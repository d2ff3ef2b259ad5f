"""Who orders on a store's page: the customer who is signed in there, or a guest whom nobody knows."""

from comanda.contracts import Call, Caller
from comanda.web import find_customer_session

from comanda_storefront.caller_kinds import STOREFRONT
from comanda_storefront.services.published_stores import PublishedStore


async def find_caller(call: Call, store: PublishedStore) -> Caller:
    """Return the customer of the store whose session the browser has, or the caller that stands for all guests."""
    owner_id, store_id = store.row["owner_id"], store.row["id"]
    session = await find_customer_session(call, owner_id, store_id)
    if session is not None:
        return session.caller
    return Caller(STOREFRONT.code, 0, owner_id, store_id, None, frozenset({"order:write"}), None)
