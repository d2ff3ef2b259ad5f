"""Tools for stores, their settings and their hours."""

from comanda.basics import ValidationFailed
from comanda.contracts import PageRequest, RecordPage, Tool, ToolCall
from comanda.platform.mcp import RestaurantArguments, select_store
from comanda.stores import GeneralSettings, StoreSummary
from comanda.stores import services as stores

from comanda_mcp_admin.schemas.restaurants import (
    BusinessHours,
    ListRestaurants,
    RestaurantPage,
    RestaurantSettings,
    UpdateBusinessHours,
)

SERVERS = ("admin",)


class GetRestaurantSettings(RestaurantArguments):
    """The store whose settings to return."""


async def list_restaurants(call: ToolCall, arguments: ListRestaurants) -> RecordPage[StoreSummary]:
    """List the owner's stores."""
    return await stores.list_stores(call.known_caller, PageRequest(arguments.page, None))


async def get_restaurant_settings(call: ToolCall, arguments: GetRestaurantSettings) -> GeneralSettings:
    """Return a store's settings."""
    store_id = await select_store(call, arguments)
    return await stores.get_settings(call.known_caller, store_id)


async def update_business_hours(call: ToolCall, arguments: UpdateBusinessHours) -> GeneralSettings:
    """Update the hours of some days or of the whole week."""
    store_id = await select_store(call, arguments)
    if not arguments.model_dump(exclude={"restaurant_id"}, exclude_none=True):
        raise ValidationFailed(monday=["Give the hours of at least one day, or exceptions."])
    return await stores.update_hours(call.known_caller, store_id, arguments)


TOOLS = (
    Tool(
        name="list_restaurants",
        title="List restaurants",
        description=(
            "Lists your stores with their ids, newest first, 20 per page, with their types and the order types they "
            "accept. Begin here."
        ),
        servers=SERVERS,
        arguments=ListRestaurants,
        result=RestaurantPage,
        handler=list_restaurants,
        scope="read",
        resource="restaurants",
        is_read_only=True,
    ),
    Tool(
        name="get_restaurant_settings",
        title="Show a restaurant's settings",
        description=(
            "Returns a store's settings: currency, time zone, address, opening hours, taxes, service "
            "charge. Rates are percentages, amounts are in the store's currency. Hours of null mean always open."
        ),
        servers=SERVERS,
        arguments=GetRestaurantSettings,
        result=RestaurantSettings,
        handler=get_restaurant_settings,
        scope="restaurants:read",
        is_read_only=True,
    ),
    Tool(
        name="update_business_hours",
        title="Change opening hours",
        description=(
            "Sets a store's opening hours in its local time. Send a whole week or only the days that change; omitted "
            "days are kept, and an empty list means closed. A closing time that is not after the opening time "
            "is past midnight. Exceptions are dates that differ, such as holidays; sending any replaces them all."
        ),
        servers=SERVERS,
        arguments=UpdateBusinessHours,
        result=BusinessHours,
        handler=update_business_hours,
        scope="restaurants:write",
        is_idempotent=True,
    ),
)
