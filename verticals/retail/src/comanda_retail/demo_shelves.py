"""What the demo shop has on its shelves. Prices are in euro."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """A variant, with the piece's own code and count; ``options`` are name and value pairs."""

    name: str
    price: float
    sku: str
    stock: int
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ware:
    """One item; with ``versions`` its stock is theirs, and without it is ``stock``."""

    name: str
    price: float
    brand: str
    description: str
    stock: int | None = None
    tax_rate: float | None = None
    is_popular: bool = False
    allow_backorder: bool = False
    versions: tuple[Version, ...] = ()


BOOK_TAX = 6


def _book(name: str, price: float, brand: str, description: str, stock: int, *, is_popular: bool = False) -> Ware:
    return Ware(name, price, brand, description, stock, BOOK_TAX, is_popular)


def _sizes(code: str, stocks: tuple[int, ...], *sizes: tuple[str, float]) -> tuple[Version, ...]:
    return tuple(
        Version(size, price, f"{code}-{number}", stock, (("size", size),))
        for number, ((size, price), stock) in enumerate(zip(sizes, stocks, strict=True), start=1)
    )


def _colours(code: str, price: float, **stocks: int) -> tuple[Version, ...]:
    return tuple(
        Version(colour.capitalize(), price, f"{code}-{colour[:3].upper()}", stock, (("colour", colour),))
        for colour, stock in stocks.items()
    )


BOOKS = (
    _book("The Ferryman's Ledger", 16.9, "Outra Margem", "A novel of a river, two banks and one debt.", 14,
          is_popular=True),
    _book("Salt Roads", 19.5, "Outra Margem", "Walking the old salt pans from Aveiro to Castro Marim.", 6),
    _book("A Grammar of Gardens", 24.0, "Folha Larga", "Forty town gardens, drawn and explained.", 4),
    _book("Night Tram", 12.9, "Outra Margem", "Short stories between the first tram and the last.", 21),
    _book("Bread, Slowly", 27.5, "Folha Larga", "Sourdough for people with jobs.", 9, is_popular=True),
    _book("The Small Atlas of Winds", 22.0, "Folha Larga", "Every wind that has a name, and why.", 0),
    _book("Paulo and the Lighthouse", 11.5, "Pé de Vento", "A picture book for ages 3 to 6.", 18),
    _book("How Bridges Stand", 14.9, "Pé de Vento", "Engineering to cut out and glue, ages 8 and up.", 11),
)  # fmt: skip
PAPER = (
    Ware("Notebook, stitched", 9.5, "Casa Pautada", "144 pages that lie flat, thread-stitched.", is_popular=True,
         versions=_colours("NB-ST", 9.5, ochre=25, indigo=31, sage=0)),
    Ware("Notebook, spiral", 7.0, "Casa Pautada", "120 pages, perforated.",
         versions=_sizes("NB-SP", (40, 22), ("A5", 7.0), ("A4", 9.8))),
    Ware("Fountain pen", 34.0, "Tinteiro", "Resin barrel, steel nib, converter included.",
         versions=_sizes("FP-01", (8, 12, 3), ("Fine", 34.0), ("Medium", 34.0), ("Broad", 36.0))),
    Ware("Bottled ink, 50 ml", 12.0, "Tinteiro", "Dries slowly, washes out.",
         versions=_colours("INK-50", 12.0, blue=17, black=20, rust=5)),
    Ware("Wrapping paper, 3 sheets", 5.4, "Casa Pautada", "Block-printed tile patterns.", 60),
    Ware("Bookmark of cork", 2.9, "Sobreiro", "Cut from a single piece.", 120),
)  # fmt: skip
HOME = (
    Ware("Reading lamp", 69.0, "Luzia", "Brass arm, linen cord, dimmable.", is_popular=True,
         versions=_colours("LMP-RD", 69.0, brass=6, black=4)),
    Ware("Wool blanket", 84.0, "Serra Alta", "Woven in Manteigas from mountain wool, 130 by 180 cm.",
         versions=_colours("BLK-W", 84.0, natural=5, slate=7, moss=2)),
    Ware("Linen cushion", 29.0, "Serra Alta", "Cover and feather filling.",
         versions=_sizes("CSH-L", (14, 9), ("40 by 40 cm", 29.0), ("50 by 50 cm", 36.0))),
    Ware("Stoneware mug", 14.5, "Barro Claro", "Thrown by hand, holds 30 cl.", 33, is_popular=True),
    Ware("Teapot with strainer", 42.0, "Barro Claro", "Stoneware, 80 cl.", 7),
    Ware("Bookends, pair", 38.0, "Sobreiro", "Cork and steel; they do not slide.", 10),
    Ware("Scented candle", 18.5, "Luzia", "Fig leaf and cedar, burns 40 hours.", 26),
    Ware("Wall shelf", 95.0, "Sobreiro", "Oak, made to order in three weeks.", 0, allow_backorder=True),
)  # fmt: skip
GIFTS = (
    Ware("Puzzle, 1,000 pieces", 21.0, "Pé de Vento", "Lisbon seen from the river.", 13),
    Ware("Tile memory game", 17.5, "Pé de Vento", "36 pairs of azulejos.", 16, is_popular=True),
    Ware("Tote bag", 15.0, "Cais das Letras", "Heavy cotton, long handles.",
         versions=_colours("TOTE", 15.0, natural=40, navy=28)),
    Ware("Gift wrapping", 2.0, "Cais das Letras", "For one parcel, with a card."),
)  # fmt: skip

SHELVES = {"Books": BOOKS, "Paper and ink": PAPER, "Home": HOME, "Games and gifts": GIFTS}
