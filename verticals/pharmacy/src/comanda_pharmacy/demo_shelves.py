"""What the demo pharmacy sells, by brands that nobody owns. Prices are in euro."""

from dataclasses import dataclass

MEDICINE = 6.0  # per cent of tax, less than on other goods


@dataclass(frozen=True, slots=True)
class Product:
    """One item; ``days_left`` is how long from the opening it may be sold, ``sizes`` are its variations with prices."""

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


def _medicine(name: str, brand: str, price: float, stock: int, days_left: int, description: str,
              age_min: int | None = None, *, is_popular: bool = False) -> Product:  # fmt: skip
    return Product(name, brand, price, stock, description, days_left, age_min, MEDICINE, is_popular)


COLDS_AND_PAIN = (
    _medicine("Throat lozenges, honey and thyme", "Bonina", 5.4, 40, 420, "24 lozenges without sugar.",
              is_popular=True),
    _medicine("Sea water nasal spray", "Maresia", 7.9, 25, 610, "100 ml, for blocked noses from three months on."),
    _medicine("Pain relief gel", "Norte Lab", 8.6, 18, 240, "60 g, cools sore muscles and joints."),
    _medicine("Pain relief tablets, double strength", "Norte Lab", 6.2, 30, 365, "20 tablets. Read the leaflet.", 16),
    _medicine("Herbal cough syrup with alcohol", "Bonina", 9.3, 12, 95, "200 ml, contains 18 % alcohol by volume.", 18),
)  # fmt: skip
GIVING_UP_SMOKING = (
    _medicine("Nicotine gum, 2 mg", "Sereno", 14.9, 20, 300, "30 pieces with mint.", 18),
    _medicine("Nicotine patches, step 1", "Sereno", 27.5, 8, 300, "Seven patches for the first week.", 18),
)
VITAMINS = (
    Product("Vitamin D drops", "Clarim", 11.2, 35, "30 ml, 1,000 units in four drops.", 500, is_popular=True),
    Product("Magnesium powder", "Clarim", 9.8, 22, "20 sachets, lemon.", 270,
            sizes=(("20 sachets", 9.8), ("50 sachets", 21.5))),
    Product("Probiotic capsules", "Norte Lab", 17.4, 10, "30 capsules; keep them cool.", 21),
)  # fmt: skip
SKIN_AND_SUN = (
    Product("Sun lotion SPF 50", "Maresia", 16.9, 28, "Water resistant, without perfume.", 540, is_popular=True,
            sizes=(("100 ml", 16.9), ("200 ml", 26.9))),
    Product("Hand cream with marigold", "Bonina", 6.9, 45, "75 ml for dry hands.", 700),
    Product("After-bite stick", "Maresia", 4.8, 0, "Soothes insect bites; back in stock next week.", 400),
)  # fmt: skip
FIRST_AID = (
    Product("Digital thermometer", "Clarim", 12.5, 15, "Measures in ten seconds, with a soft tip."),
    Product("Plasters, assorted", "Norte Lab", 3.6, 60, "40 pieces that stay on in water."),
)

SHELVES = {
    "Colds and pain": COLDS_AND_PAIN,
    "Giving up smoking": GIVING_UP_SMOKING,
    "Vitamins and minerals": VITAMINS,
    "Skin and sun": SKIN_AND_SUN,
    "First aid": FIRST_AID,
}
