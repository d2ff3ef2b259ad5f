"""Which of the owner's stores a call is about."""

from comanda.errors import NotFound, ValidationFailed
from comanda.mcp import ToolCall

from comanda_mcp_admin.queries import stores_of
from comanda_mcp_admin.schemas.common import RestaurantArguments


async def store_of(call: ToolCall, arguments: RestaurantArguments) -> int:
    """Return the id of the store that the arguments name, or of the only one that the caller has.

    That a store which is named is theirs, the services check. Raises ``NotFound`` for a token of another store, and
    ``ValidationFailed`` with the ``choices`` where none is named and there is not just one.
    """
    caller, named = call.known_caller, arguments.restaurant_id
    if named is not None:
        if caller.store_id not in {None, named}:
            raise NotFound
        return named
    if caller.store_id is not None:
        return caller.store_id
    stores = await stores_of(caller)
    if len(stores) == 1:
        return int(stores[0]["id"])
    sentence = "You have several stores: name one of the choices." if stores else "You have no store yet."
    choices = [{"id": store["id"], "title": store["title"]} for store in stores]
    raise ValidationFailed(restaurant_id=[sentence], extras={"choices": choices})
