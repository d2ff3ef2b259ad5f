"""Routes of the settings that plugins add to stores: one pair for each, so that OpenAPI describes their fields."""

from typing import Any

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Unvalidated
from comanda.contracts.requests.routes import Routes
from comanda.contracts.stores.settings import StoreSettings
from comanda.stores import store_settings


def create_routes(declared: StoreSettings) -> Routes:
    """Return the routes that read and change a plugin's settings of a store."""
    group, path = Routes("Stores"), f"/restaurants/{{id}}/settings/{declared.plugin}"

    async def get_settings(caller: Caller, id: int) -> Any:
        return await store_settings.get_settings(declared, caller, id)

    async def update_settings(caller: Caller, id: int, body: Any) -> Any:
        return await store_settings.update_store_settings(declared, caller, id, body)

    get_settings.__doc__ = f"Return a store's settings: {declared.title}."
    update_settings.__doc__ = f"Update a store's settings: {declared.title}; fields left out stay as they are."
    # A model made by the plugin, which type checkers cannot know.
    body_type: Any = Unvalidated
    update_settings.__annotations__["body"] = body_type[declared.fields]
    group.get(path, scope="restaurants:read", answers=declared.fields)(get_settings)
    group.put(path, scope="restaurants:write", answers=declared.fields)(update_settings)
    return group
