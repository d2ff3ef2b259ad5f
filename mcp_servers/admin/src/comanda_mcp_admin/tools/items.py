"""Tools for menu items."""

from collections.abc import Mapping
from typing import Any

from comanda.basics import ValidationFailed
from comanda.contracts import Tool, ToolCall
from comanda.menu import ItemBody, ItemChange, ItemOut, SoldOutBody, to_store_item_json
from comanda.menu import services as menus
from comanda.platform import runtime
from comanda.platform.mcp import select_store
from comanda.stores import find_vertical, require_store

from comanda_mcp_admin.schemas.arguments import Deleted
from comanda_mcp_admin.schemas.menus import (
    AddMenuItem,
    DeleteMenuItem,
    ItemAvailability,
    SetItemAvailability,
    UpdateMenuItem,
)

SERVERS = ("admin",)


async def add_menu_item(call: ToolCall, arguments: AddMenuItem) -> dict[str, Any]:
    caller, store_id = call.known_caller, await select_store(call, arguments)
    store = await require_store(caller, store_id)
    _check_details(store["store_type"], arguments.details)
    fields = arguments.model_dump(exclude={"restaurant_id", "details"})
    for group in fields["extra_groups"]:
        group["is_required"] = group["min"] > 0
    body = ItemBody.model_validate({**arguments.details, **fields})
    return to_store_item_json(await menus.create_item(caller, store_id, body))


async def update_menu_item(call: ToolCall, arguments: UpdateMenuItem) -> dict[str, Any]:
    """Update an item's name, price or description."""
    store_id = await select_store(call, arguments)
    given = arguments.model_dump(include={"name", "price", "description"}, exclude_none=True)
    if not given:
        raise ValidationFailed(name=["Give at least one of: name, price, description."])
    if given.get("description") == "":
        given["description"] = None
    change = ItemChange.model_validate(given)
    return to_store_item_json(await menus.update_item(call.known_caller, store_id, arguments.item_id, change))


async def delete_menu_item(call: ToolCall, arguments: DeleteMenuItem) -> Deleted:
    await menus.delete_item(call.known_caller, await select_store(call, arguments), arguments.item_id)
    return Deleted(id=arguments.item_id, is_deleted=True)


async def set_item_availability(call: ToolCall, arguments: SetItemAvailability) -> ItemAvailability:
    """Mark an item as sold out or as available."""
    store_id = await select_store(call, arguments)
    if arguments.is_available and arguments.until is not None:
        raise ValidationFailed(
            until=["Requires is_available false: the time at which a sold-out item becomes available."]
        )
    body = SoldOutBody(is_sold_out=not arguments.is_available, until=arguments.until)
    now = await menus.set_sold_out(call.known_caller, store_id, arguments.item_id, body)
    return ItemAvailability(id=now.id, is_available=not now.is_sold_out, until=now.until)


def _check_details(store_type: str, details: Mapping[str, Any]) -> None:
    """Raise ``ValidationFailed`` for a name that is not a field of items in this store type."""
    vertical = find_vertical(store_type)
    capabilities = runtime.registry().item_fields(vertical) if vertical else []
    known = [name for capability in capabilities for name in capability.fields.model_fields]
    if unknown := [name for name in details if name not in known]:
        sentence = f"Unknown field {unknown[0][:50]}. Known fields: {', '.join(known) or 'none'}."
        raise ValidationFailed(details=[sentence])


TOOLS = (
    Tool(
        name="add_menu_item",
        title="Add a menu item",
        description=(
            "Creates an item in a category, with its variations and extras. Calling it twice creates two. It "
            "is refused if the owner's plan allows no more items."
        ),
        servers=SERVERS,
        arguments=AddMenuItem,
        result=ItemOut,
        handler=add_menu_item,
        scope="write",
        resource="menu",
    ),
    Tool(
        name="update_menu_item",
        title="Change a menu item",
        description="Changes an item's name, price or description; omitted fields are kept.",
        servers=SERVERS,
        arguments=UpdateMenuItem,
        result=ItemOut,
        handler=update_menu_item,
        scope="write",
        resource="menu",
        is_idempotent=True,
    ),
    Tool(
        name="delete_menu_item",
        title="Delete a menu item",
        description=(
            "Deletes an item from the menu; existing orders keep its name and price. For an item that is only "
            "sold out, use set_item_availability."
        ),
        servers=SERVERS,
        arguments=DeleteMenuItem,
        result=Deleted,
        handler=delete_menu_item,
        scope="menu:write",
        is_destructive=True,
        is_idempotent=True,
    ),
    Tool(
        name="set_item_availability",
        title="Mark an item as sold out or available",
        description="Marks an item as sold out, indefinitely or until a time, or as available again.",
        servers=SERVERS,
        arguments=SetItemAvailability,
        result=ItemAvailability,
        handler=set_item_availability,
        scope="menu:write",
        is_idempotent=True,
    ),
)
