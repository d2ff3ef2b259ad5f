"""Selection of the store that a tool call works in: the given one, or the only one of the owner."""

from typing import Annotated

from pydantic import Field

from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.requests.fields import Id
from comanda.contracts.requests.mcp import Arguments, ToolCall
from comanda.platform.db import sql

# Enough to choose from.
MAX_CHOICES = 50

SELECT_STORES = "SELECT id, title FROM core_store WHERE owner_id = $1 ORDER BY id LIMIT $2"


class RestaurantArguments(Arguments):
    """Arguments of a tool that works in one store of the caller."""

    restaurant_id: Annotated[
        Id | None, Field(description="The store's id, from list_restaurants; may be left out if you have one store.")
    ] = None


async def select_store(call: ToolCall, arguments: RestaurantArguments) -> int:
    """Return the id of the store in the arguments, or of the only store of the caller.

    Services check that the store belongs to the caller. Raises ``NotFound`` for a token of another store, and
    ``ValidationFailed`` with the ``choices`` if no store is given and the caller does not have exactly one.
    """
    caller, named = call.known_caller, arguments.restaurant_id
    if named is not None:
        if not caller.reaches(named):
            raise NotFound
        return named
    if caller.store_id is not None:
        return caller.store_id
    stores = await sql.fetch(SELECT_STORES, caller.owner_id, MAX_CHOICES)
    if len(stores) == 1:
        return int(stores[0]["id"])
    sentence = "You have several stores; choose one of them." if stores else "You have no store yet."
    choices = [{"id": store["id"], "title": store["title"]} for store in stores]
    raise ValidationFailed(restaurant_id=[sentence], extras={"choices": choices})
