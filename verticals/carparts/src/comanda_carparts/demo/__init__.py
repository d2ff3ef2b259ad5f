"""The demo parts shop, created once through the services that its owner would use. Prices are in euro."""

from dataclasses import asdict, dataclass
from typing import Any

from comanda.contracts import Caller, DemoStore, Showcase
from comanda.operations.demo_data import DemoPhotos, create_menu


@dataclass(frozen=True, slots=True)
class Vehicle:
    """A range of vehicles, with the fields of a fitment."""

    make: str
    model: str
    year_from: int
    year_to: int | None = None
    engine: str | None = None
    trim: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class DemoPart:
    """One item with its manufacturer's number, which is the SKU of its only variant."""

    name: str
    price: float
    brand: str
    sku: str
    stock: int
    description: str
    fitments: tuple[Vehicle, ...] = ()
    is_popular: bool = False


GOLF = Vehicle("Volkswagen", "Golf", 2012, 2019)
GOLF_DIESEL = Vehicle("Volkswagen", "Golf", 2012, 2019, engine="1.6 TDI")
POLO = Vehicle("Volkswagen", "Polo", 2017)
LEON = Vehicle("SEAT", "Leon", 2012, 2020)
OCTAVIA = Vehicle("Škoda", "Octavia", 2013, 2019)
OCTAVIA_DIESEL = Vehicle("Škoda", "Octavia", 2013, 2019, engine="1.6 TDI")
CLIO = Vehicle("Renault", "Clio", 2012, 2019)
CLIO_DIESEL = Vehicle("Renault", "Clio", 2012, 2019, engine="1.5 dCi")
MEGANE_DIESEL = Vehicle("Renault", "Mégane", 2008, 2016, engine="1.5 dCi")
DUSTER = Vehicle("Dacia", "Duster", 2018)
PEUGEOT_208 = Vehicle("Peugeot", "208", 2012, 2019)
PANDA = Vehicle("Fiat", "Panda", 2012)
PANDA_4X4 = Vehicle("Fiat", "Panda", 2012, trim="4x4", note="Rear axle of the 4x4 only")

BRAKES = (
    DemoPart(
        "Brake pads, front",
        39.9,
        "Travão",
        "TR-1120",
        24,
        "Set of four with wear sensors.",
        (GOLF, LEON, OCTAVIA),
        is_popular=True,
    ),
    DemoPart("Brake pads, front", 34.5, "Travão", "TR-0874", 15, "Set of four.", (CLIO, PEUGEOT_208)),
    DemoPart(
        "Brake discs, front, pair",
        84.0,
        "Travão",
        "TD-288V",
        8,
        "Vented, 288 mm, coated.",
        (Vehicle("Volkswagen", "Golf", 2012, 2019, note="Discs of 288 mm"), LEON),
    ),
    DemoPart("Brake shoes, rear", 28.9, "Norfrena", "NF-4410", 6, "Set for both wheels.", (PANDA, PANDA_4X4)),
)
SERVICE = (
    DemoPart("Oil filter", 7.9, "Filtrex", "FX-719", 60, "Screw-on, with gasket.", (GOLF, POLO, LEON), is_popular=True),
    DemoPart(
        "Oil filter", 9.2, "Filtrex", "FX-K9K", 42, "Cartridge, with gasket.", (CLIO_DIESEL, MEGANE_DIESEL, DUSTER)
    ),
    DemoPart("Air filter", 14.5, "Filtrex", "FX-A166", 31, "Paper element.", (GOLF_DIESEL, OCTAVIA_DIESEL)),
    DemoPart(
        "Cabin filter, activated carbon",
        18.9,
        "Filtrex",
        "FX-C24",
        27,
        "Against pollen and smells.",
        (GOLF, LEON, OCTAVIA, POLO),
    ),
    DemoPart(
        "Timing belt kit",
        129.0,
        "Correia",
        "CR-16TDI",
        5,
        "Belt, tensioner, pulleys and water pump.",
        (GOLF_DIESEL, OCTAVIA_DIESEL),
    ),
    DemoPart("Engine oil 5W-30, 5 l", 46.0, "Filtrex", "FX-5W30-5", 48, "Fully synthetic; see your handbook."),
)
LIGHT = (
    DemoPart(
        "H7 bulb, pair",
        16.5,
        "Luzia",
        "LZ-H7-2",
        70,
        "Brighter by half, legal on the road.",
        (GOLF, CLIO, PEUGEOT_208, PANDA),
        is_popular=True,
    ),
    DemoPart(
        "Wiper blades, front, pair",
        24.9,
        "Norfrena",
        "NW-6545",
        19,
        "Flat blades, 650 and 450 mm.",
        (GOLF, LEON, OCTAVIA),
    ),
    DemoPart(
        "Battery 12 V 70 Ah",
        118.0,
        "Amperia",
        "AM-70SS",
        0,
        "For cars with stop-start.",
        (GOLF_DIESEL, OCTAVIA_DIESEL, MEGANE_DIESEL),
    ),
)

PARTS = {"Brakes": BRAKES, "Service": SERVICE, "Light and electrics": LIGHT}

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

# Parts with the same name have photos of their own.
PHOTOS = {"TR-0874": ["brake-pads-front-compact"], "FX-K9K": ["oil-filter-cartridge"]}
MORE_PHOTOS = {"Brake discs, front, pair": ("brake-disc-detail",)}


async def fill(showcase: Showcase) -> None:
    """Create the shop, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_menu)


async def _fill_menu(caller: Caller, store_id: int) -> None:
    shelves = {shelf: [_to_item(part) for part in parts] for shelf, parts in PARTS.items()}
    await create_menu(caller, store_id, shelves, DemoPhotos(__name__, MORE_PHOTOS))


def _to_item(part: DemoPart) -> dict[str, Any]:
    return {
        "name": part.name,
        "price": part.price,
        "brand": part.brand,
        "description": part.description,
        "is_popular": part.is_popular,
        "photos": PHOTOS.get(part.sku),
        "fitments": [asdict(vehicle) for vehicle in part.fitments],
        "variants": [{"name": part.sku, "price": part.price, "sku": part.sku, "stock": part.stock}],
    }
