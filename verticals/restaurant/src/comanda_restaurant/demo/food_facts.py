"""What the dishes of the demo restaurant contain, by themselves and with their choices."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

Facts = Mapping[str, Any]

VEGAN: Final = ("vegan", "halal", "kosher")
PLAIN: Final = (*VEGAN, "gluten_free")


def _declare(*allergens: str, traces: Sequence[str] = (), diets: Sequence[str] = (), **more: Any) -> Facts:
    own = {f"is_{diet}": True for diet in diets}
    return {"has_allergen_information": True, "allergens": [*allergens], "may_contain": [*traces], **own, **more}


def _add(*allergens: str, traces: Sequence[str] = (), diets: Sequence[str] = (), **more: Any) -> Facts:
    return {"allergens": [*allergens], "may_contain": [*traces], "diets": [*diets], **more}


CHOICES: Final[Mapping[str, Facts]] = {
    "Buffalo mozzarella": _add("milk", diets=("vegetarian", "gluten_free")),
    "Grilled courgette": _add(diets=PLAIN),
    "Black olives": _add(diets=PLAIN, additives=["blackened"]),
    "Spicy salami": _add("milk", additives=["nitrite", "antioxidant"], diets=("gluten_free",)),
    "Rocket": _add(diets=PLAIN),
    "Classic": _add("wheat", diets=VEGAN),
    "Thin and crisp": _add("wheat", diets=VEGAN),
    "Wholemeal": _add("wheat", "rye", diets=VEGAN),
    "Spaghetti": _add("wheat", diets=VEGAN),
    "Rigatoni": _add("wheat", diets=VEGAN),
    "Tagliatelle": _add("wheat", "eggs", diets=("vegetarian", "halal", "kosher", "lactose_free")),
    "Gluten-free penne": _add(traces=("soya",), diets=PLAIN),
    "Grated pecorino": _add("milk", diets=("gluten_free",)),
    "Chilli oil": _add(diets=PLAIN),
    "Toasted breadcrumbs": _add("wheat", traces=("sesame",), diets=VEGAN),
    "Burrata": _add("milk", diets=("vegetarian", "gluten_free")),
    "Roast potatoes": _add(diets=PLAIN),
    "Braised greens": _add("sulphites", diets=("vegan", "gluten_free"), alcohol_percent=0.5),
    "Green salad": _add("mustard", diets=PLAIN),
    "White beans": _add("celery", diets=PLAIN),
    "Rare": _add(diets=PLAIN),
    "Medium": _add(diets=PLAIN),
    "Well done": _add(diets=PLAIN),
    "Pistachio": _add("milk", "pistachios", traces=("nuts",), diets=("vegetarian", "halal", "gluten_free")),
    "Hazelnut": _add("milk", "hazelnuts", traces=("nuts",), diets=("vegetarian", "halal", "gluten_free")),
    "Lemon": _add(traces=("milk", "nuts"), diets=("vegan", "halal", "gluten_free")),
    "Dark chocolate": _add("milk", traces=("nuts", "soya"), diets=("vegetarian", "halal", "gluten_free")),
    "Fig and honey": _add("milk", traces=("nuts",), diets=("vegetarian", "halal", "gluten_free")),
    "Whole milk": _add("milk", diets=("vegetarian", "halal", "kosher", "gluten_free")),
    "Oat drink": _add("oats", diets=VEGAN),
    "Almond drink": _add("almonds", diets=PLAIN),
}
DISHES: Final[Mapping[str, Facts]] = {
    "Tomato bruschetta": _declare("wheat"),
    "Burrata with figs": _declare("milk", "hazelnuts", traces=("nuts",), diets=("vegetarian", "gluten_free")),
    "Fried courgette flowers": _declare("wheat", "milk", "eggs", diets=("vegetarian",)),
    "Beef carpaccio": _declare("milk", "mustard", diets=("gluten_free",)),
    "Octopus and potato salad": _declare("molluscs", "celery", diets=("gluten_free", "lactose_free")),
    "White bean soup": _declare("celery", diets=("gluten_free",)),
    "Aubergine parmigiana": _declare("milk", traces=("eggs",), diets=("vegetarian", "gluten_free")),
    "Marinated olives": _declare(traces=("almonds",), diets=("gluten_free",)),
    "Focaccia from our oven": _declare("wheat", traces=("sesame",)),
    "Board of cured meats": _declare(
        "wheat", "milk", "sulphites", traces=("pistachios",), additives=["nitrite", "antioxidant", "preservative"]
    ),
    "Tomato and basil": _declare("celery", diets=("gluten_free",)),
    "Carbonara": _declare("eggs", "milk", additives=["nitrite"], diets=("gluten_free",)),
    "Ragù of the house": _declare("celery", "sulphites", diets=("gluten_free", "lactose_free"), alcohol_percent=0.5),
    "Pesto with green beans": _declare("milk", "cashews", traces=("nuts", "peanuts"), diets=("gluten_free",)),
    "Clams and parsley": _declare(
        "molluscs", "sulphites", traces=("crustaceans",), diets=("gluten_free", "lactose_free"), alcohol_percent=1
    ),
    "Mushroom risotto": _declare("milk", "celery", "sulphites", diets=("gluten_free",), alcohol_percent=0.5),
    "Pumpkin ravioli": _declare("wheat", "eggs", "milk", "almonds", diets=("vegetarian",)),
    "Lasagne": _declare("wheat", "eggs", "milk", "celery", "sulphites", alcohol_percent=0.5),
    "Gnocchi with gorgonzola": _declare("wheat", "milk", "walnuts", traces=("eggs",)),
    "Chickpea and rosemary pasta": _declare("wheat", "celery"),
    "Marinara": _declare("wheat"),
    "Margherita": _declare("wheat", "milk", diets=("vegetarian",)),
    "Diavola": _declare("wheat", "milk", additives=["nitrite", "antioxidant"], spiciness=2),
    "Four cheeses": _declare("wheat", "milk"),
    "Vegetable garden": _declare("wheat", "sulphites", additives=["blackened"]),
    "Prosciutto and rocket": _declare("wheat", "milk", additives=["nitrite"]),
    "Tuna and red onion": _declare("wheat", "milk", "fish"),
    "Capricciosa": _declare("wheat", "milk", additives=["nitrite", "phosphate", "blackened"]),
    "Sardines of Lisbon": _declare("wheat", "fish", diets=("lactose_free",)),
    "Folded calzone": _declare("wheat", "milk", additives=["nitrite", "phosphate"]),
    "Sliced beef steak": _declare(diets=("gluten_free", "lactose_free")),
    "Chicken under a brick": _declare(diets=("gluten_free", "lactose_free"), spiciness=1),
    "Sea bass in salt": _declare("fish", diets=("gluten_free", "lactose_free")),
    "Veal with lemon": _declare("wheat", "milk", "sulphites"),
    "Oven-roasted lamb": _declare(diets=("gluten_free", "lactose_free")),
    "Grilled squid": _declare("molluscs", "celery", diets=("gluten_free", "lactose_free"), spiciness=2),
    "Stuffed peppers": _declare(traces=("nuts",), diets=("gluten_free",)),
    "Sausages and lentils": _declare("celery", "mustard", "sulphites", additives=["nitrite"], diets=("lactose_free",)),
    "Salt cod with olives": _declare("fish", diets=("gluten_free", "lactose_free"), additives=["blackened"]),
    "Grilled vegetables": _declare("sulphites", diets=("gluten_free",)),
    "Tiramisu": _declare("wheat", "eggs", "milk", "sulphites", diets=("vegetarian",), alcohol_percent=2),
    "Lemon and olive oil cake": _declare("wheat", "eggs", "milk", traces=("nuts",), diets=("vegetarian",)),
    "Ice cream": _declare(traces=("nuts", "eggs"), diets=("vegetarian", "gluten_free")),
    "Poached pear": _declare("almonds", traces=("nuts",), diets=("gluten_free",)),
    "Still or sparkling water": _declare(diets=("gluten_free", "kosher")),
    "Blood orange soda": _declare(diets=("gluten_free",), additives=["colour", "preservative"]),
    "House red": _declare("sulphites", diets=("vegetarian", "gluten_free"), alcohol_percent=13.5),
    "House white": _declare("sulphites", diets=("vegetarian", "gluten_free"), alcohol_percent=12),
    "Cappuccino": _declare("milk", diets=("vegetarian", "gluten_free"), additives=["caffeine"]),
    "Espresso": _declare(diets=("gluten_free",), additives=["caffeine"]),
}


def add_facts(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an item with what it contains, and with that of its extras."""
    extras = [extra["name"] for group in item["extra_groups"] for extra in group["extras"]]
    rows = [{"name": name, **CHOICES[name]} for name in dict.fromkeys(extras)]
    return {**item, **DISHES[item["name"]], "choice_facts": rows}
