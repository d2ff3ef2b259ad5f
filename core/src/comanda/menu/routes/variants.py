"""Routes of variants."""

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.menu.changes import variants
from comanda.menu.records import Variant
from comanda.menu.schemas import VariantBody, VariantChange

routes = Routes("Variants")

VARIANTS_PATH = "/restaurants/{id}/menu/items/{itemId}/variants"
VARIANT_PATH = VARIANTS_PATH + "/{variantId}"


@routes.get(VARIANTS_PATH, scope="menu:read")
async def list_variants(caller: Caller, id: int, item_id: int, page: PageRequest) -> RecordPage[Variant]:
    """List the variants of an item."""
    return await variants.list_variants(caller, id, item_id, page)


@routes.post(VARIANTS_PATH, scope="menu:write")
async def create_variant(caller: Caller, id: int, item_id: int, body: VariantBody) -> Variant:
    """Create a variant."""
    return await variants.create_variant(caller, id, item_id, body)


@routes.get(VARIANT_PATH, scope="menu:read")
async def get_variant(caller: Caller, id: int, item_id: int, variant_id: int) -> Variant:
    """Return a variant."""
    return await variants.get_variant(caller, id, item_id, variant_id)


@routes.put(VARIANT_PATH, scope="menu:write")
async def update_variant(caller: Caller, id: int, item_id: int, variant_id: int, body: VariantChange) -> Variant:
    """Update a variant; fields left out stay as they are."""
    return await variants.update_variant(caller, id, item_id, variant_id, body)


@routes.delete(VARIANT_PATH, scope="menu:write")
async def delete_variant(caller: Caller, id: int, item_id: int, variant_id: int) -> None:
    """Delete a variant; existing orders keep its name and price."""
    await variants.delete_variant(caller, id, item_id, variant_id)
