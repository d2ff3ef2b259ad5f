"""Allergens, diets and additives by their codes, with their names, and what an order's line contains."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from comanda.web import N_


class Allergen(StrEnum):
    """The substances of Regulation (EU) No 1169/2011, annex II: its groups, and the cereals and nuts that it names."""

    GLUTEN = "gluten"
    WHEAT = "wheat"
    RYE = "rye"
    BARLEY = "barley"
    OATS = "oats"
    CRUSTACEANS = "crustaceans"
    EGGS = "eggs"
    FISH = "fish"
    PEANUTS = "peanuts"
    SOYA = "soya"
    MILK = "milk"
    NUTS = "nuts"
    ALMONDS = "almonds"
    HAZELNUTS = "hazelnuts"
    WALNUTS = "walnuts"
    CASHEWS = "cashews"
    PECANS = "pecans"
    BRAZIL_NUTS = "brazil_nuts"
    PISTACHIOS = "pistachios"
    MACADAMIAS = "macadamias"
    CELERY = "celery"
    MUSTARD = "mustard"
    SESAME = "sesame"
    SULPHITES = "sulphites"
    LUPIN = "lupin"
    MOLLUSCS = "molluscs"


ALLERGEN_LABELS: Final[Mapping[str, str]] = {
    Allergen.GLUTEN: N_("Gluten"),
    Allergen.WHEAT: N_("Wheat"),
    Allergen.RYE: N_("Rye"),
    Allergen.BARLEY: N_("Barley"),
    Allergen.OATS: N_("Oats"),
    Allergen.CRUSTACEANS: N_("Crustaceans"),
    Allergen.EGGS: N_("Eggs"),
    Allergen.FISH: N_("Fish"),
    Allergen.PEANUTS: N_("Peanuts"),
    Allergen.SOYA: N_("Soya"),
    Allergen.MILK: N_("Milk"),
    Allergen.NUTS: N_("Nuts"),
    Allergen.ALMONDS: N_("Almonds"),
    Allergen.HAZELNUTS: N_("Hazelnuts"),
    Allergen.WALNUTS: N_("Walnuts"),
    Allergen.CASHEWS: N_("Cashews"),
    Allergen.PECANS: N_("Pecans"),
    Allergen.BRAZIL_NUTS: N_("Brazil nuts"),
    Allergen.PISTACHIOS: N_("Pistachios"),
    Allergen.MACADAMIAS: N_("Macadamias"),
    Allergen.CELERY: N_("Celery"),
    Allergen.MUSTARD: N_("Mustard"),
    Allergen.SESAME: N_("Sesame"),
    Allergen.SULPHITES: N_("Sulphites"),
    Allergen.LUPIN: N_("Lupin"),
    Allergen.MOLLUSCS: N_("Molluscs"),
}
CEREALS: Final = frozenset({Allergen.WHEAT, Allergen.RYE, Allergen.BARLEY, Allergen.OATS})
TREE_NUTS: Final = frozenset(
    {
        Allergen.ALMONDS,
        Allergen.HAZELNUTS,
        Allergen.WALNUTS,
        Allergen.CASHEWS,
        Allergen.PECANS,
        Allergen.BRAZIL_NUTS,
        Allergen.PISTACHIOS,
        Allergen.MACADAMIAS,
    }
)
GROUPS: Final[Mapping[str, Allergen]] = {
    **dict.fromkeys(CEREALS, Allergen.GLUTEN),
    **dict.fromkeys(TREE_NUTS, Allergen.NUTS),
}
"""The group of each allergen that annex II names within one."""


class Diet(StrEnum):
    """A diet that an item is suitable for."""

    VEGAN = "vegan"
    VEGETARIAN = "vegetarian"
    HALAL = "halal"
    KOSHER = "kosher"
    GLUTEN_FREE = "gluten_free"
    LACTOSE_FREE = "lactose_free"


DIET_LABELS: Final[Mapping[str, str]] = {
    Diet.VEGAN: N_("Vegan"),
    Diet.VEGETARIAN: N_("Vegetarian"),
    Diet.HALAL: N_("Halal"),
    Diet.KOSHER: N_("Kosher"),
    Diet.GLUTEN_FREE: N_("Gluten-free"),
    Diet.LACTOSE_FREE: N_("Lactose-free"),
}
IMPLIED_DIETS: Final = {Diet.VEGAN: frozenset({Diet.VEGETARIAN, Diet.LACTOSE_FREE})}
SEAFOOD: Final = frozenset({Allergen.CRUSTACEANS, Allergen.FISH, Allergen.MOLLUSCS})
EXCLUDED_ALLERGENS: Final = {Diet.VEGETARIAN: SEAFOOD, Diet.VEGAN: SEAFOOD | {Allergen.EGGS, Allergen.MILK}}
"""What contains one of these is not suitable for the diet, whatever else is declared."""


class Additive(StrEnum):
    """A class of additives, or a substance, that menus name, as in Germany."""

    COLOUR = "colour"
    PRESERVATIVE = "preservative"
    NITRITE = "nitrite"
    ANTIOXIDANT = "antioxidant"
    FLAVOUR_ENHANCER = "flavour_enhancer"
    SULPHURED = "sulphured"
    BLACKENED = "blackened"
    WAXED = "waxed"
    PHOSPHATE = "phosphate"
    SWEETENER = "sweetener"
    PHENYLALANINE = "phenylalanine"
    CAFFEINE = "caffeine"
    QUININE = "quinine"


ADDITIVE_LABELS: Final[Mapping[str, str]] = {
    Additive.COLOUR: N_("with colour"),
    Additive.PRESERVATIVE: N_("with preservative"),
    Additive.NITRITE: N_("with nitrite curing salt"),
    Additive.ANTIOXIDANT: N_("with antioxidant"),
    Additive.FLAVOUR_ENHANCER: N_("with flavour enhancer"),
    Additive.SULPHURED: N_("sulphured"),
    Additive.BLACKENED: N_("blackened"),
    Additive.WAXED: N_("waxed"),
    Additive.PHOSPHATE: N_("with phosphate"),
    Additive.SWEETENER: N_("with sweetener"),
    Additive.PHENYLALANINE: N_("contains a source of phenylalanine"),
    Additive.CAFFEINE: N_("contains caffeine"),
    Additive.QUININE: N_("contains quinine"),
}


OVERRIDDEN_BY: Final = "restrictions_overridden_by"
"""The field of an order that keeps who took it over in spite of a conflict."""


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What a line contains: its item with the chosen variation and extras.

    ``undeclared`` are the names of the parts that nobody has declared completely; without any, what is not named here
    is not in it.
    """

    allergens: frozenset[str]
    may_contain: frozenset[str]
    diets: frozenset[str]
    additives: frozenset[str]
    alcohol: float
    undeclared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What a guest must not eat; of ``avoid_traces`` not even traces."""

    avoid_allergens: frozenset[str]
    avoid_traces: frozenset[str]
    required_diets: frozenset[str]


@dataclass(frozen=True, slots=True)
class LineConflict:
    """What stands against a line of an order; ``undeclared`` are parts of it that nobody has declared completely."""

    allergens: tuple[str, ...] = ()
    may_contain: tuple[str, ...] = ()
    diets: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()
    item: str = ""
    position: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it for the answer of a request that is refused."""
        return asdict(self)
