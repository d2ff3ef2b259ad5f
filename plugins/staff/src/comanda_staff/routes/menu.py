"""Menu editing by staff."""

from typing import Any

from comanda.basics import clock
from comanda.contracts import Answer, Call, Caller, Routes, Unvalidated
from comanda.menu import (
    CategoryBody,
    CategoryWithItems,
    ItemBody,
    ItemChange,
    ItemOut,
    MenuCategory,
    PictureOut,
    PictureUpload,
    PriceTables,
    SoldOutBody,
    SoldOutFlag,
    list_price_tables,
    owner_view,
    photo_uploads,
    services,
    snapshot,
    to_picture_json,
    to_store_item_json,
)
from comanda.platform.photos import PHOTO_UPLOAD, parse_photo
from comanda.stores import require_store

from comanda_staff.api import STAFF_ONLY, Permission
from comanda_staff.services.orders import STAFF_CHANNEL

routes = Routes("Staff", callers=STAFF_ONLY)


@routes.get("/staff/menu", scope=Permission.ORDERS, answers=list[CategoryWithItems])
async def get_menu(caller: Caller) -> Answer:
    """Return your store's menu: categories with their items, including inactive and sold-out ones."""
    return Answer(await owner_view.get_owner_menu(caller, caller.known_store_id))


@routes.get("/staff/menu/prices", scope=Permission.ORDERS)
async def list_prices(caller: Caller) -> PriceTables:
    """Return your store's other prices by order type for the next days, and when they change."""
    store = await require_store(caller, caller.known_store_id)
    menu = await snapshot.get_snapshot(caller.known_store_id, store["menu_version"], with_participants=False)
    return list_price_tables(menu, STAFF_CHANNEL.audience, clock.now())


@routes.post("/staff/menu/items", scope=Permission.MENU_EDIT, answers=ItemOut)
async def create_item(caller: Caller, body: ItemBody) -> dict[str, Any]:
    """Create an item with its variations and extra groups."""
    return to_store_item_json(await services.create_item(caller, caller.known_store_id, body))


@routes.put("/staff/menu/items/{itemId}", scope=Permission.MENU_EDIT, answers=ItemOut)
async def update_item(caller: Caller, item_id: int, body: ItemChange) -> dict[str, Any]:
    """Update an item; fields left out are unchanged."""
    return to_store_item_json(await services.update_item(caller, caller.known_store_id, item_id, body))


@routes.delete("/staff/menu/items/{itemId}", scope=Permission.MENU_EDIT)
async def delete_item(caller: Caller, item_id: int) -> None:
    """Delete an item; orders keep its name and price."""
    await services.delete_item(caller, caller.known_store_id, item_id)


@routes.patch("/staff/menu/items/{itemId}/sold-out", scope=Permission.MENU_EDIT)
async def set_sold_out(caller: Caller, item_id: int, body: SoldOutBody) -> SoldOutFlag:
    """Mark an item as sold out or available; without ``is_sold_out`` the flag is toggled."""
    return await services.set_sold_out(caller, caller.known_store_id, item_id, body)


@routes.post("/staff/menu/items/{itemId}/photos", scope=Permission.MENU_EDIT, answers=PictureOut, upload=PHOTO_UPLOAD)
async def upload_photo(caller: Caller, item_id: int, call: Call, body: Unvalidated[PictureUpload]) -> dict[str, Any]:
    """Add a photo to an item: JPEG, PNG or WebP, as the form part ``photo`` or as Base64 in JSON."""
    await photo_uploads.check_gallery_capacity(caller, caller.known_store_id, item_id)
    return to_picture_json(
        await photo_uploads.add_photo(caller, caller.known_store_id, item_id, await parse_photo(call, body))
    )


@routes.delete("/staff/menu/items/{itemId}/photos/{photoId}", scope=Permission.MENU_EDIT)
async def delete_photo(caller: Caller, item_id: int, photo_id: int) -> None:
    """Delete a photo of an item."""
    await photo_uploads.delete_photo(caller, caller.known_store_id, item_id, photo_id)


@routes.post("/staff/menu/categories", scope=Permission.MENU_EDIT)
async def create_category(caller: Caller, body: CategoryBody) -> MenuCategory:
    """Create a category."""
    return await services.create_category(caller, caller.known_store_id, body)
