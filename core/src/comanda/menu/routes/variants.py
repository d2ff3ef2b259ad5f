"""Variants of an item."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.menu import variants
from comanda.menu.schemas import VariantBody, VariantChange, VariantOut

routes = Routes("Variants")

ALL = "/restaurants/{id}/menu/items/{itemId}/variants"
ONE = ALL + "/{variantId}"


@routes.get(ALL, scope="menu:read", answers=Page[VariantOut])
async def list_variants(caller: Caller, id: int, item_id: int, page: PageRequest) -> dict[str, Any]:
    """List the variants of an item."""
    return await variants.list_variants(caller, id, item_id, page)


@routes.post(ALL, scope="menu:write", answers=VariantOut)
async def add_variant(caller: Caller, id: int, item_id: int, body: VariantBody) -> dict[str, Any]:
    """Add a variant."""
    return await variants.create_variant(caller, id, item_id, body)


@routes.get(ONE, scope="menu:read", answers=VariantOut)
async def show_variant(caller: Caller, id: int, item_id: int, variant_id: int) -> dict[str, Any]:
    """Show a variant."""
    return await variants.get_variant(caller, id, item_id, variant_id)


@routes.put(ONE, scope="menu:write", answers=VariantOut)
async def change_variant(
    caller: Caller,
    id: int,
    item_id: int,
    variant_id: int,
    body: VariantChange,
) -> dict[str, Any]:
    """Change a variant; fields left out stay as they are."""
    return await variants.update_variant(caller, id, item_id, variant_id, body)


@routes.delete(ONE, scope="menu:write")
async def delete_variant(caller: Caller, id: int, item_id: int, variant_id: int) -> None:
    """Delete a variant; orders keep its name and price."""
    await variants.delete_variant(caller, id, item_id, variant_id)
