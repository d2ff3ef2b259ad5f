"""Which of an owner's stores a call is about: named, or the only one there is."""

from typing import Annotated

from pydantic import Field

from comanda.contracts.fields import Id
from comanda.contracts.mcp import Arguments, ToolCall
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

# More than anybody chooses from at a glance.
MOST_CHOICES = 50

STORES = "SELECT id, title FROM core_store WHERE owner_id = $1 ORDER BY id LIMIT $2"


class RestaurantArguments(Arguments):
    """Arguments of a tool that works in one of the caller's stores."""

    restaurant_id: Annotated[
        Id | None, Field(description="The store's id, from list_restaurants; may be left out if you have one store.")
    ] = None


async def select_store(call: ToolCall, arguments: RestaurantArguments) -> int:
    """Return the id of the store that the arguments name, or of the only one that the caller has.

    That a store which is named is theirs, the services check. Raises ``NotFound`` for a token of another store, and
    ``ValidationFailed`` with the ``choices`` where none is named and there is not just one.
    """
    caller, named = call.known_caller, arguments.restaurant_id
    if named is not None:
        if not caller.reaches(named):
            raise NotFound
        return named
    if caller.store_id is not None:
        return caller.store_id
    stores = await sql.fetch(STORES, caller.owner_id, MOST_CHOICES)
    if len(stores) == 1:
        return int(stores[0]["id"])
    sentence = "You have several stores: name one of the choices." if stores else "You have no store yet."
    choices = [{"id": store["id"], "title": store["title"]} for store in stores]
    raise ValidationFailed(restaurant_id=[sentence], extras={"choices": choices})
