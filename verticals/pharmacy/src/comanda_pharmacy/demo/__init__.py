"""The demo pharmacy, created once through the services that its owner would use.

Brands are fictional and prices in euro.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.contracts import Caller, DemoStore, Showcase
from comanda.operations.demo_data import DemoPhotos, create_menu

from comanda_pharmacy.schemas import ReceiptBody
from comanda_pharmacy.services import batches

MEDICINE = 6.0  # reduced tax rate in per cent


@dataclass(frozen=True, slots=True)
class PharmacyItem:
    """One item. ``days_left`` counts from the creation of the demo; ``sizes`` are its variations with prices.

    ``medicine`` are its fields as a medicine, ``photo`` the one of another item.
    """

    name: str
    brand: str
    price: float
    stock: int
    description: str
    days_left: int | None = None
    age_min: int | None = None
    tax_rate: float | None = None
    is_popular: bool = False
    sizes: tuple[tuple[str, float], ...] = ()
    photo: str | None = None
    medicine: Mapping[str, Any] = field(default_factory=dict)


def _create_medicine(
    name: str,
    brand: str,
    price: float,
    stock: int,
    days_left: int,
    description: str,
    age_min: int | None = None,
    *,
    is_popular: bool = False,
    photo: str | None = None,
    **medicine: Any,
) -> PharmacyItem:
    return PharmacyItem(
        name, brand, price, stock, description, days_left, age_min, MEDICINE, is_popular, (), photo, medicine
    )


COLDS_AND_PAIN = (
    _create_medicine(
        "Throat lozenges, honey and thyme", "Bonina", 5.4, 40, 420, "24 lozenges without sugar.", is_popular=True
    ),
    _create_medicine(
        "Sea water nasal spray", "Maresia", 7.9, 25, 610, "100 ml, for blocked noses from three months on."
    ),
    _create_medicine("Pain relief gel", "Norte Lab", 8.6, 18, 240, "60 g, cools sore muscles and joints."),
    _create_medicine(
        "Pain relief tablets, double strength", "Norte Lab", 6.2, 30, 365, "Read the leaflet.", 16,
        max_per_order=2, pack_content=20, pack_unit="tablets", is_sold_by_batch=True,
    ),
    _create_medicine(
        "Herbal cough syrup with alcohol", "Bonina", 9.3, 12, 95, "200 ml, contains 18 % alcohol by volume.", 18
    ),
    _create_medicine(
        "Amoxicillin capsules, 500 mg", "Norte Lab", 7.4, 24, 365, "We need to see your prescription.",
        photo="probiotic-capsules", is_prescription_only=True, pack_content=16, pack_unit="capsules",
        is_sold_by_batch=True,
    ),
)  # fmt: skip
GIVING_UP_SMOKING = (
    _create_medicine("Nicotine gum, 2 mg", "Sereno", 14.9, 20, 300, "30 pieces with mint.", 18),
    _create_medicine("Nicotine patches, step 1", "Sereno", 27.5, 8, 300, "Seven patches for the first week.", 18),
)
VITAMINS = (
    PharmacyItem("Vitamin D drops", "Clarim", 11.2, 35, "30 ml, 1,000 units in four drops.", 500, is_popular=True),
    PharmacyItem(
        "Magnesium powder",
        "Clarim",
        9.8,
        22,
        "20 sachets, lemon.",
        270,
        sizes=(("20 sachets", 9.8), ("50 sachets", 21.5)),
    ),
    PharmacyItem("Probiotic capsules", "Norte Lab", 17.4, 10, "30 capsules; keep them cool.", 21),
)
SKIN_AND_SUN = (
    PharmacyItem(
        "Sun lotion SPF 50",
        "Maresia",
        16.9,
        28,
        "Water resistant, without perfume.",
        540,
        is_popular=True,
        sizes=(("100 ml", 16.9), ("200 ml", 26.9)),
    ),
    PharmacyItem("Hand cream with marigold", "Bonina", 6.9, 45, "75 ml for dry hands.", 700),
    PharmacyItem("After-bite stick", "Maresia", 4.8, 0, "Soothes insect bites; back in stock next week.", 400),
)
FIRST_AID = (
    PharmacyItem("Digital thermometer", "Clarim", 12.5, 15, "Measures in ten seconds, with a soft tip."),
    PharmacyItem("Plasters, assorted", "Norte Lab", 3.6, 60, "40 pieces that stay on in water."),
)

SHELVES = {
    "Colds and pain": COLDS_AND_PAIN,
    "Giving up smoking": GIVING_UP_SMOKING,
    "Vitamins and minerals": VITAMINS,
    "Skin and sun": SKIN_AND_SUN,
    "First aid": FIRST_AID,
}

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
    """Create the pharmacy, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_menu)


async def _fill_menu(caller: Caller, store_id: int) -> None:
    today = clock.now().astimezone(ZoneInfo(STORE.timezone)).date()
    shelves = {shelf: [_to_item(product, today) for product in products] for shelf, products in SHELVES.items()}
    items = await create_menu(caller, store_id, shelves, DemoPhotos(__name__))
    for product in (each for products in SHELVES.values() for each in products):
        if product.medicine.get("is_sold_by_batch"):
            await _create_batches(caller, store_id, items[product.name].id, product.stock, today)


async def _create_batches(caller: Caller, store_id: int, item_id: int, stock: int, today: date) -> None:
    """Give a batch to each half of an item's stock."""
    for number, (quantity, days) in enumerate(((stock // 2, 200), (stock - stock // 2, 500)), 1):
        body = ReceiptBody(
            item_id=item_id,
            number=f"L{item_id}-{number}",
            best_before=today + timedelta(days=days),
            quantity=quantity,
            is_in_stock=True,
        )
        await batches.receive(caller, store_id, body)


def _to_item(product: PharmacyItem, today: date) -> dict[str, Any]:
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
        "photos": [product.photo] if product.photo else None,
        **product.medicine,
    }
