"""The demo laundry, created once through the services that its owner would use. Prices are in euro."""

from dataclasses import dataclass
from typing import Any

from comanda.contracts import Caller, DemoStore, Showcase
from comanda.operations.demo_data import DemoPhotos, create_menu
from comanda_collection.api import SlotSettingsChange, update_slot_settings


@dataclass(frozen=True, slots=True)
class LaundryService:
    """One item of the price list; its variations have prices that replace ``price``, that of a piece or a kilogram.

    ``ready_days`` None is the store's setting; 0 is for what is not cleaned.
    """

    name: str
    price: float
    description: str
    is_popular: bool = False
    stock: int | None = None
    variations: tuple[tuple[str, float], ...] = ()
    is_by_weight: bool = False
    ready_days: int | None = None


WASHING = (
    LaundryService(
        "Wash and fold",
        3.2,
        "Washed, dried and folded, by the kilogram.",
        is_popular=True,
        variations=(("Folded", 3.2), ("Ironed", 5.6)),
        is_by_weight=True,
        ready_days=2,
    ),
    LaundryService(
        "Bed linen set",
        11.0,
        "A fitted sheet, a duvet cover and two pillowcases, pressed.",
        variations=(("Single", 11.0), ("Double", 14.0)),
    ),
    LaundryService(
        "Duvet",
        22.0,
        "Washed at 60 °C and dried until no damp is left inside.",
        ready_days=5,
        variations=(("Synthetic", 22.0), ("Down", 29.0)),
    ),
)
PRESSING = (
    LaundryService(
        "Shirt", 2.8, "Washed, pressed by hand.", is_popular=True, variations=(("On a hanger", 2.8), ("Folded", 3.2))
    ),
    LaundryService(
        "Suit",
        16.5,
        "Dry cleaned and pressed, jacket and trousers.",
        is_popular=True,
        variations=(("Two pieces", 16.5), ("Three pieces", 21.0)),
    ),
    LaundryService(
        "Dress", 13.0, "Dry cleaned, seams and buttons looked over.", variations=(("Everyday", 13.0), ("Evening", 24.0))
    ),
    LaundryService("Winter coat", 19.5, "Dry cleaned and aired for a day."),
)
TAILOR = (
    LaundryService("Hem a pair of trousers", 10.0, "Pinned while you wear them: take an appointment.", ready_days=4),
    LaundryService("New zip", 14.0, "Jackets, trousers and bags.", variations=(("Trousers", 14.0), ("Jacket", 22.0))),
    LaundryService(
        "Fitting of a wedding dress", 35.0, "Half an hour with our seamstress, by appointment.", ready_days=0
    ),
)
COUNTER = (
    LaundryService("Linen laundry bag", 8.9, "Holds 8 kg, with a tag for your name.", stock=40, ready_days=0),
    LaundryService("Cedar moth rings, twelve", 5.5, "For the wardrobe.", stock=25, ready_days=0),
)

MENU = {
    "Washing": WASHING,
    "Dry cleaning and pressing": PRESSING,
    "Alterations": TAILOR,
    "At the counter": COUNTER,
}

WEEKDAY = [{"open": "08:00", "close": "19:30"}]
STORE = DemoStore(
    store_type="laundry",
    title="Lavandaria Espuma",
    slug="lavandaria-espuma",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0177",
        "address": "Rua da Bica 31, 1200-054 Lisboa",
        "day_start": "04:00",
        "tax_rate": 23,
        "is_tax_included": True,
        "hours": {
            **dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), WEEKDAY),
            "saturday": [{"open": "09:00", "close": "13:00"}],
            "sunday": [],
        },
    },
)
SLOTS = (
    SlotSettingsChange(mode="pickup_slot", slot_minutes=30, capacity=6, lead_minutes=60, horizon_days=14),
    SlotSettingsChange(mode="appointment", slot_minutes=45, capacity=1, lead_minutes=240, horizon_days=30),
)


async def fill(showcase: Showcase) -> None:
    """Create the laundry, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_store)


async def _fill_store(caller: Caller, store_id: int) -> None:
    for slots in SLOTS:
        await update_slot_settings(caller, store_id, slots)
    services = {name: [_to_item(service) for service in offered] for name, offered in MENU.items()}
    await create_menu(caller, store_id, services, DemoPhotos(__name__))


def _to_item(service: LaundryService) -> dict[str, Any]:
    return {
        "name": service.name,
        "price": service.price,
        "description": service.description,
        "is_popular": service.is_popular,
        "stock": service.stock,
        "is_by_weight": service.is_by_weight,
        "ready_days": service.ready_days,
        "variations": [{"name": kind, "price": price} for kind, price in service.variations],
    }
