"""The demo restaurant, created once through the services that its owner would use."""

from comanda.contracts import Caller, DemoStore, Showcase
from comanda.menu import PriceListBody, create_price_list
from comanda.operations.demo_data import DemoPhotos, create_menu

from comanda_restaurant.demo.combos import create_lunch_menu
from comanda_restaurant.demo.food_facts import add_facts
from comanda_restaurant.demo.menu import MENU
from comanda_restaurant.services.starter_items import to_item_fields

STORE = DemoStore(
    store_type="restaurant",
    title="Trattoria da Alba",
    slug="trattoria-da-alba",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0140",
        "address": "Rua das Oliveiras 14, 1200-310 Lisboa",
        "day_start": "05:00",
        "tax_rate": 13,
        "mode_tax_rates": {"on-table": 13, "takeaway": 13, "delivery": 23, "room_service": 23},
        "is_tax_included": True,
        "service_charge_rate": 5,
        "service_charge_modes": ["on-table"],
    },
)
ROOM_SERVICE = PriceListBody(name="Room service", modes=["room_service"], percent=10, round_to=0.1)
MORE_PHOTOS = {
    "Board of cured meats": ("antipasti-table",),
    "Carbonara": ("carbonara-close-up",),
    "Margherita": ("margherita-close-up",),
    "Sliced beef steak": ("steak-close-up",),
    "House red": ("wine-by-the-glass",),
    "House white": ("wine-by-the-glass",),
}


async def fill(showcase: Showcase) -> None:
    """Create the restaurant, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_menu)


async def _fill_menu(caller: Caller, store_id: int) -> None:
    photos = DemoPhotos(__name__, MORE_PHOTOS)
    items = await create_menu(
        caller,
        store_id,
        {course: [add_facts(to_item_fields(item)) for item in items] for course, items in MENU.items()},
        photos,
    )
    set_menus = {"Set menus": [create_lunch_menu(items)]}
    await create_menu(caller, store_id, set_menus, photos, first_position=len(MENU))
    await create_price_list(caller, store_id, ROOM_SERVICE)
