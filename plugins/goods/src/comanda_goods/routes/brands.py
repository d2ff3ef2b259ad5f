"""Routes for owners to manage a store's brands."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_goods.records import Brand
from comanda_goods.schemas import BrandBody, BrandChange
from comanda_goods.services import brands

routes = Routes("Brands")


@routes.get("/restaurants/{id}/brands", scope="menu:read")
async def list_brands(caller: Caller, id: int, page: PageRequest) -> RecordPage[Brand]:
    """List the store's brands by name, 20 per page: those that items name, and those that you created."""
    return await brands.list_brands(caller, id, page)


@routes.post("/restaurants/{id}/brands", scope="menu:write")
async def create_brand(caller: Caller, id: int, body: BrandBody) -> Brand:
    """Create a brand. Items that name it, in any letter case, belong to it."""
    return await brands.create_brand(caller, id, body)


@routes.get("/restaurants/{id}/brands/{brandId}", scope="menu:read")
async def get_brand(caller: Caller, id: int, brand_id: int) -> Brand:
    """Get a brand."""
    return await brands.get_brand(caller, id, brand_id)


@routes.put("/restaurants/{id}/brands/{brandId}", scope="menu:write")
async def update_brand(caller: Caller, id: int, brand_id: int, body: BrandChange) -> Brand:
    """Update a brand. A new name is written to all of its items; omitted fields stay as they are."""
    return await brands.update_brand(caller, id, brand_id, body)


@routes.delete("/restaurants/{id}/brands/{brandId}", scope="menu:write")
async def delete_brand(caller: Caller, id: int, brand_id: int) -> None:
    """Delete a brand. Answers 409 while items name it."""
    await brands.delete_brand(caller, id, brand_id)
