"""The starter menu of a bakery: bread, pastries, cakes to order, filled rolls."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus.menu import StarterMenu

SLICED = StarterExtraGroup("Slice it?", (("Whole", 0), ("Sliced thin", 0), ("Sliced thick", 0)), max=1)
SPREADS = StarterExtraGroup("With it", (("Butter", 0.6), ("Jam", 0.8), ("Hazelnut cream", 1.0)), max=3)
WORDS_ON_IT = StarterExtraGroup("On the cake", (("A name", 2.0), ("Candles, ten", 1.5)), max=2)


def _create_loaf(name: str, half: float, calories: int, description: str, *, is_popular: bool = False) -> StarterItem:
    sizes = (("Half, 500 g", half), ("Whole, 1 kg", round(half * 1.8, 1)))
    return StarterItem(
        name,
        half,
        calories,
        description,
        True,
        is_halal=True,
        is_popular=is_popular,
        sizes=sizes,
        extra_groups=(SLICED,),
    )


def _create_cake(name: str, small: float, calories: int, description: str) -> StarterItem:
    sizes = (("For 8", small), ("For 12", small + 11.0))
    return StarterItem(
        name,
        small,
        calories,
        f"{description} Order it a day ahead.",
        is_halal=True,
        sizes=sizes,
        extra_groups=(WORDS_ON_IT,),
    )


BAKERY = StarterMenu(
    title="Bakery",
    description="Loaves by the half and the whole, rolls, pastries, cakes to order and filled rolls.",
    categories={
        "Bread": (
            _create_loaf(
                "Country sourdough", 3.4, 240, "Wheat and a little rye, two days in the making.", is_popular=True
            ),
            _create_loaf("Rye with seeds", 3.8, 230, "Sunflower, flax and pumpkin seeds."),
            _create_loaf("Spelt", 3.9, 250, "Stoneground spelt, mild."),
            _create_loaf("White tin loaf", 2.8, 260, "For toast and sandwiches."),
            StarterItem("Baguette", 1.6, 260, "Thin crust, 250 g.", True, True, is_popular=True),
            StarterItem("Olive focaccia", 3.2, 310, "By the square, with olives and rosemary.", True, True),
        ),
        "Rolls": (
            StarterItem("White roll", 0.6, 150, "Crisp outside.", True, True, sizes=(("One", 0.6), ("Six", 3.2))),
            StarterItem(
                "Poppy seed roll", 0.8, 170, "Wheat, poppy seeds.", True, True, sizes=(("One", 0.8), ("Six", 4.3))
            ),
            StarterItem("Pretzel", 1.4, 220, "Lye crust, coarse salt.", True, True, extra_groups=(SPREADS,)),
            StarterItem("Milk roll", 1.1, 190, "Soft and slightly sweet.", is_halal=True, extra_groups=(SPREADS,)),
        ),
        "Pastries": (
            StarterItem(
                "Croissant", 1.9, 270, "Butter, many layers.", is_halal=True, is_popular=True, extra_groups=(SPREADS,)
            ),
            StarterItem("Pain au chocolat", 2.3, 330, "Two bars of dark chocolate.", is_halal=True),
            StarterItem("Cinnamon bun", 2.9, 380, "Soft, with sugar glaze.", is_halal=True, is_popular=True),
            StarterItem("Apple turnover", 2.6, 310, "Apples from the orchard, flaky crust.", True, True),
            StarterItem("Custard tart", 1.8, 220, "Scorched on top, best warm.", is_halal=True),
            StarterItem("Almond croissant", 3.1, 430, "Filled twice, toasted almonds.", is_halal=True),
        ),
        "Cakes by the slice": (
            StarterItem("Cheesecake", 4.2, 410, "Baked, with a biscuit base.", is_halal=True),
            StarterItem("Chocolate cake", 4.2, 440, "Dark and moist.", is_halal=True),
            StarterItem("Plum crumble", 3.6, 330, "Plums, oat crumble.", True, True),
        ),
        "Whole cakes to order": (
            _create_cake("Chocolate cake", 28.0, 440, "Three layers, ganache."),
            _create_cake("Strawberry cream cake", 32.0, 350, "Sponge, cream, strawberries in season."),
            _create_cake("Lemon drizzle", 24.0, 360, "Sharp glaze, poppy seeds."),
        ),
        "For the way": (
            StarterItem("Cheese roll", 3.8, 390, "Mountain cheese, butter, cucumber."),
            StarterItem("Ham baguette", 4.6, 460, "Cooked ham, butter, mustard."),
            StarterItem("Hummus roll", 4.2, 360, "Hummus, roast pepper, rocket.", True, True, is_popular=True),
            StarterItem("Spinach and feta pastry", 3.9, 420, "Warm from the oven.", is_halal=True),
        ),
        "Drinks": (
            StarterItem("Coffee", 2.2, 5, "From the machine.", True, True, sizes=(("Small", 2.2), ("Large", 2.8))),
            StarterItem("Cappuccino", 2.9, 120, "With milk foam.", is_halal=True),
            StarterItem(
                "Tea",
                2.2,
                2,
                "Black, green or peppermint.",
                True,
                True,
                sizes=(("Black", 2.2), ("Green", 2.2), ("Peppermint", 2.2)),
            ),
            StarterItem("Apple juice", 2.6, 110, "Cloudy, 25 cl.", True, True),
        ),
    },
)
