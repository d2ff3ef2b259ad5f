"""Tools for menu categories."""

from comanda.basics import ValidationFailed
from comanda.contracts import Tool, ToolCall
from comanda.menu import CategoryBody, CategoryChange, MenuCategory
from comanda.menu import services as menus
from comanda.platform.mcp import select_store

from comanda_mcp_admin.schemas.arguments import Deleted
from comanda_mcp_admin.schemas.menus import AddCategory, DeleteCategory, UpdateCategory

SERVERS = ("admin",)


async def add_category(call: ToolCall, arguments: AddCategory) -> MenuCategory:
    store_id = await select_store(call, arguments)
    body = CategoryBody(name=arguments.name, position=arguments.position, is_active=arguments.is_active)
    return await menus.create_category(call.known_caller, store_id, body)


async def update_category(call: ToolCall, arguments: UpdateCategory) -> MenuCategory:
    store_id = await select_store(call, arguments)
    given = arguments.model_dump(include={"name", "position", "is_active"}, exclude_none=True)
    if not given:
        raise ValidationFailed(name=["Give at least one of: name, position, is_active."])
    return await menus.update_category(call.known_caller, store_id, arguments.category_id, CategoryChange(**given))


async def delete_category(call: ToolCall, arguments: DeleteCategory) -> Deleted:
    """Delete an empty category."""
    await menus.delete_category(call.known_caller, await select_store(call, arguments), arguments.category_id)
    return Deleted(id=arguments.category_id, is_deleted=True)


TOOLS = (
    Tool(
        name="add_category",
        title="Add a menu category",
        description="Creates a category in a store's menu. Calling it twice creates two.",
        servers=SERVERS,
        arguments=AddCategory,
        result=MenuCategory,
        handler=add_category,
        scope="menu:write",
    ),
    Tool(
        name="update_category",
        title="Change a menu category",
        description="Renames, moves, hides or shows a category; omitted fields are kept.",
        servers=SERVERS,
        arguments=UpdateCategory,
        result=MenuCategory,
        handler=update_category,
        scope="menu:write",
        is_idempotent=True,
    ),
    Tool(
        name="delete_category",
        title="Delete a menu category",
        description=(
            "Deletes a category that has no items. Otherwise it is refused with the code conflict and their number "
            "in items_count: delete the items first, or hide the category with update_category."
        ),
        servers=SERVERS,
        arguments=DeleteCategory,
        result=Deleted,
        handler=delete_category,
        scope="menu:write",
        is_destructive=True,
        is_idempotent=True,
    ),
)
