"""The demo pharmacy, opened once and through the services that its owner would use."""

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.demo import DemoStore, Showcase
from comanda.demo_data.builder import create_menu

from comanda_pharmacy.demo_shelves import SHELVES, Product

STORE = DemoStore(
    store_type="pharmacy",
    title="Farmácia da Sé",
    slug="farmacia-da-se",
    settings={
        "country": "PT",
        "phone": "+351 22 555 0172",
        "address": "Rua do Loureiro 31, 4000-327 Porto",
        "tax_rate": 23,
        "is_tax_included": True,
    },
)


async def fill(showcase: Showcase) -> None:
    """Open the pharmacy, or find it as its owner left it."""
    await showcase.open(STORE, _furnish)


async def _furnish(caller: Caller, store_id: int) -> None:
    today = clock.now().astimezone(ZoneInfo(STORE.timezone)).date()
    shelves = {shelf: [_item(product, today) for product in products] for shelf, products in SHELVES.items()}
    await create_menu(caller, store_id, shelves)


def _item(product: Product, today: date) -> dict[str, Any]:
    return {
        "name": product.name,
        "price": product.price,
        "description": product.description,
        "is_popular": product.is_popular,
        "tax_rate": product.tax_rate,
        "stock": product.stock,
        "brand": product.brand,
        "expires_on": None if product.days_left is None else (today + timedelta(days=product.days_left)).isoformat(),
        "age_min": product.age_min,
        "variations": [{"name": size, "price": price} for size, price in product.sizes],
    }
