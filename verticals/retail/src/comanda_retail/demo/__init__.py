"""The demo shop, created once through the services that its owner would use. Prices are in euro."""

from dataclasses import asdict, dataclass
from typing import Any

from comanda.contracts import Caller, DemoStore, Showcase
from comanda.menu import ItemChange, services
from comanda.operations.demo_data import DemoPhotos, create_menu


@dataclass(frozen=True, slots=True)
class RetailVariant:
    """A variant with its own SKU and stock; ``options`` are name and value pairs."""

    name: str
    price: float
    sku: str
    stock: int
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RetailItem:
    """One item. With ``variants`` the stock is counted per variant, otherwise in ``stock``."""

    name: str
    price: float
    brand: str
    description: str
    stock: int | None = None
    tax_rate: float | None = None
    is_popular: bool = False
    allow_backorder: bool = False
    variants: tuple[RetailVariant, ...] = ()
    content_ml: int | None = None
    manufacturer_contact: str | None = None
    safety_warnings: str | None = None


BOOK_TAX = 6


def _create_book(
    name: str, price: float, brand: str, description: str, stock: int, *, is_popular: bool = False
) -> RetailItem:
    return RetailItem(name, price, brand, description, stock, BOOK_TAX, is_popular)


def _create_size_variants(code: str, stocks: tuple[int, ...], *sizes: tuple[str, float]) -> tuple[RetailVariant, ...]:
    return tuple(
        RetailVariant(size, price, f"{code}-{number}", stock, (("size", size),))
        for number, ((size, price), stock) in enumerate(zip(sizes, stocks, strict=True), start=1)
    )


def _create_colour_variants(code: str, price: float, **stocks: int) -> tuple[RetailVariant, ...]:
    return tuple(
        RetailVariant(colour.capitalize(), price, f"{code}-{colour[:3].upper()}", stock, (("colour", colour),))
        for colour, stock in stocks.items()
    )


BOOKS = (
    _create_book(
        "The Ferryman's Ledger",
        16.9,
        "Outra Margem",
        "A novel of a river, two banks and one debt.",
        14,
        is_popular=True,
    ),
    _create_book("Salt Roads", 19.5, "Outra Margem", "Walking the old salt pans from Aveiro to Castro Marim.", 6),
    _create_book("A Grammar of Gardens", 24.0, "Folha Larga", "Forty town gardens, drawn and explained.", 4),
    _create_book("Night Tram", 12.9, "Outra Margem", "Short stories between the first tram and the last.", 21),
    _create_book("Bread, Slowly", 27.5, "Folha Larga", "Sourdough for people with jobs.", 9, is_popular=True),
    _create_book("The Small Atlas of Winds", 22.0, "Folha Larga", "Every wind that has a name, and why.", 0),
    _create_book("Paulo and the Lighthouse", 11.5, "Pé de Vento", "A picture book for ages 3 to 6.", 18),
    _create_book("How Bridges Stand", 14.9, "Pé de Vento", "Engineering to cut out and glue, ages 8 and up.", 11),
)
PAPER = (
    RetailItem(
        "Notebook, stitched",
        9.5,
        "Casa Pautada",
        "144 pages that lie flat, thread-stitched.",
        is_popular=True,
        variants=_create_colour_variants("NB-ST", 9.5, ochre=25, indigo=31, sage=0),
    ),
    RetailItem(
        "Notebook, spiral",
        7.0,
        "Casa Pautada",
        "120 pages, perforated.",
        variants=_create_size_variants("NB-SP", (40, 22), ("A5", 7.0), ("A4", 9.8)),
    ),
    RetailItem(
        "Fountain pen",
        34.0,
        "Tinteiro",
        "Resin barrel, steel nib, converter included.",
        variants=_create_size_variants("FP-01", (8, 12, 3), ("Fine", 34.0), ("Medium", 34.0), ("Broad", 36.0)),
    ),
    RetailItem(
        "Bottled ink, 50 ml",
        12.0,
        "Tinteiro",
        "Dries slowly, washes out.",
        variants=_create_colour_variants("INK-50", 12.0, blue=17, black=20, rust=5),
        content_ml=50,
        manufacturer_contact="Rua do Almada 310, 4050-032 Porto, ola@tinteiro.example",
        safety_warnings="Stains textiles. Keep out of reach of small children.",
    ),
    RetailItem("Wrapping paper, 3 sheets", 5.4, "Casa Pautada", "Block-printed tile patterns.", 60),
    RetailItem("Bookmark of cork", 2.9, "Sobreiro", "Cut from a single piece.", 120),
)
HOME = (
    RetailItem(
        "Reading lamp",
        69.0,
        "Luzia",
        "Brass arm, linen cord, dimmable.",
        is_popular=True,
        variants=_create_colour_variants("LMP-RD", 69.0, brass=6, black=4),
    ),
    RetailItem(
        "Wool blanket",
        84.0,
        "Serra Alta",
        "Woven in Manteigas from mountain wool, 130 by 180 cm.",
        variants=_create_colour_variants("BLK-W", 84.0, natural=5, slate=7, moss=2),
    ),
    RetailItem(
        "Linen cushion",
        29.0,
        "Serra Alta",
        "Cover and feather filling.",
        variants=_create_size_variants("CSH-L", (14, 9), ("40 by 40 cm", 29.0), ("50 by 50 cm", 36.0)),
    ),
    RetailItem("Stoneware mug", 14.5, "Barro Claro", "Thrown by hand, holds 30 cl.", 33, is_popular=True),
    RetailItem("Teapot with strainer", 42.0, "Barro Claro", "Stoneware, 80 cl.", 7),
    RetailItem("Bookends, pair", 38.0, "Sobreiro", "Cork and steel; they do not slide.", 10),
    RetailItem(
        "Scented candle",
        18.5,
        "Luzia",
        "Fig leaf and cedar, burns 40 hours.",
        26,
        manufacturer_contact="Rua da Junqueira 88, 1300-344 Lisboa, ola@luzia.example",
        safety_warnings="Never leave a burning candle alone. Keep it away from children, pets and curtains.",
    ),
    RetailItem("Wall shelf", 95.0, "Sobreiro", "Oak, made to order in three weeks.", 0, allow_backorder=True),
)
GIFTS = (
    RetailItem("Puzzle, 1,000 pieces", 21.0, "Pé de Vento", "Lisbon seen from the river.", 13),
    RetailItem("Tile memory game", 17.5, "Pé de Vento", "36 pairs of azulejos.", 16, is_popular=True),
    RetailItem(
        "Tote bag",
        15.0,
        "Cais das Letras",
        "Heavy cotton, long handles.",
        variants=_create_colour_variants("TOTE", 15.0, natural=40, navy=28),
    ),
    RetailItem("Gift wrapping", 2.0, "Cais das Letras", "For one parcel, with a card."),
)

# The new prices of what is reduced once it is on the shelf, so that the price before is known.
REDUCED = {"Scented candle": 14.9, "Tile memory game": 14.0}
SHELVES = {"Books": BOOKS, "Paper and ink": PAPER, "Home": HOME, "Games and gifts": GIFTS}

STORE = DemoStore(
    store_type="retail",
    title="Cais das Letras",
    slug="cais-das-letras",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0177",
        "address": "Cais do Sodré 22, 1200-450 Lisboa",
        "tax_rate": 23,
        "is_tax_included": True,
    },
)


async def fill(showcase: Showcase) -> None:
    """Create the shop, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_menu)


async def _fill_menu(caller: Caller, store_id: int) -> None:
    shelves = {shelf: [_to_item(ware) for ware in wares] for shelf, wares in SHELVES.items()}
    items = await create_menu(caller, store_id, shelves, DemoPhotos(__name__))
    for name, price in REDUCED.items():
        change = ItemChange(price=price, compare_at_price=items[name].price_minor / 100)
        await services.update_item(caller, store_id, items[name].id, change)


def _to_item(ware: RetailItem) -> dict[str, Any]:
    item = asdict(ware)
    variants, content_ml = item.pop("variants"), item.pop("content_ml")
    if content_ml is not None:
        item |= {"content": content_ml, "content_unit": "ml"}
    if ware.manufacturer_contact is not None:
        item["manufacturer"] = ware.brand
    return {**item, "variants": [{**version, "options": dict(version["options"])} for version in variants]}
