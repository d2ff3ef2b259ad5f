"""Brands, as owners see and edit them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_goods import services
from comanda_goods.schemas import BrandBody, BrandChange, BrandOut

routes = Routes("Brands")


@routes.get("/restaurants/{id}/brands", scope="menu:read", answers=Page[BrandOut])
async def list_brands(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the store's brands by name, 20 per page: those that items name, and those that you wrote down."""
    return await services.page_of_brands(caller, id, page)


@routes.post("/restaurants/{id}/brands", scope="menu:write", answers=BrandOut)
async def add_brand(caller: Caller, id: int, body: BrandBody) -> dict[str, Any]:
    """Write a brand down; items that name it, in whatever letter case, are of it."""
    return await services.add_brand(caller, id, body)


@routes.get("/restaurants/{id}/brands/{brandId}", scope="menu:read", answers=BrandOut)
async def show_brand(caller: Caller, id: int, brand_id: int) -> dict[str, Any]:
    """Show a brand."""
    return await services.brand(caller, id, brand_id)


@routes.put("/restaurants/{id}/brands/{brandId}", scope="menu:write", answers=BrandOut)
async def change_brand(caller: Caller, id: int, brand_id: int, body: BrandChange) -> dict[str, Any]:
    """Change a brand; a new name is written into all of its items. Fields left out stay as they are."""
    return await services.change_brand(caller, id, brand_id, body)


@routes.delete("/restaurants/{id}/brands/{brandId}", scope="menu:write")
async def delete_brand(caller: Caller, id: int, brand_id: int) -> None:
    """Delete a brand that no item names; while one does it answers 409."""
    await services.delete_brand(caller, id, brand_id)
