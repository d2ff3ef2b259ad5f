"""The demo laundry, opened once and through the services that its owner would use."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.demo import DemoStore, Showcase
from comanda.demo_data.builder import create_menu
from comanda_collection.api import SlotSettingsChange, change_slot_settings

from comanda_laundry.demo_menu import MENU, Service

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
    """Open the laundry, or find it as its owner left it."""
    await showcase.open(STORE, _furnish)


async def _furnish(caller: Caller, store_id: int) -> None:
    for slots in SLOTS:
        await change_slot_settings(caller, store_id, slots)
    await create_menu(
        caller, store_id, {name: [_item(service) for service in offered] for name, offered in MENU.items()}
    )


def _item(service: Service) -> dict[str, Any]:
    return {
        "name": service.name,
        "price": service.price,
        "description": service.description,
        "is_popular": service.is_popular,
        "stock": service.stock,
        "variations": [{"name": kind, "price": price} for kind, price in service.kinds],
    }
