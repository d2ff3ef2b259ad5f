"""The demo parts shop, opened once and through the services that its owner would use."""

from dataclasses import asdict
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.demo import DemoStore, Showcase
from comanda.demo_data.builder import create_menu

from comanda_carparts.demo_parts import PARTS, Part

STORE = DemoStore(
    store_type="carparts",
    title="Auto Peças da Ponte",
    slug="auto-pecas-da-ponte",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0193",
        "address": "Rua da Ponte 8, 2800-120 Almada",
        "tax_rate": 23,
        "is_tax_included": True,
    },
)


async def fill(showcase: Showcase) -> None:
    """Open the shop, or find it as its owner left it."""
    await showcase.open(STORE, _furnish)


async def _furnish(caller: Caller, store_id: int) -> None:
    await create_menu(caller, store_id, {shelf: [_item(part) for part in parts] for shelf, parts in PARTS.items()})


def _item(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "price": part.price,
        "brand": part.brand,
        "description": part.description,
        "is_popular": part.is_popular,
        "fitments": [asdict(vehicle) for vehicle in part.fits],
        "variants": [{"name": part.sku, "price": part.price, "sku": part.sku, "stock": part.stock}],
    }
