"""The starter menu of a burger bar: burgers, sides, dips, shakes."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus.menu import StarterMenu

BUN = StarterExtraGroup("Bun", (("Brioche", 0), ("Sesame", 0), ("Lettuce wrap", 0), ("Gluten-free", 1.2)), min=1, max=1)
VEGAN_BUN = StarterExtraGroup("Bun", (("Sesame", 0), ("Lettuce wrap", 0), ("Gluten-free", 1.2)), min=1, max=1)
DONENESS = StarterExtraGroup("How would you like it?", (("Pink", 0), ("Medium", 0), ("Well done", 0)), min=1, max=1)
ON_IT = StarterExtraGroup(
    "Put on it",
    (
        ("Cheddar", 1.2),
        ("Blue cheese", 1.6),
        ("Bacon", 2.0),
        ("Fried egg", 1.5),
        ("Jalapeños", 0.8),
        ("Caramelised onions", 1.0),
        ("Second patty", 4.0),
    ),
    max=6,
    allows_repeats=True,
)
DIPS = StarterExtraGroup(
    "Dips",
    (("Ketchup", 0.5), ("Mayonnaise", 0.5), ("Smoked chilli", 0.7), ("Garlic", 0.7)),
    max=4,
    free_count=1,
    allows_repeats=True,
)
SIZES = ("Small", "Large")


def _create_beef_burger(
    name: str, price: float, calories: int, description: str, *, is_popular: bool = False
) -> StarterItem:
    sizes = (("One patty", price), ("Two patties", price + 3.5))
    return StarterItem(
        name, price, calories, description, is_popular=is_popular, sizes=sizes, extra_groups=(BUN, DONENESS, ON_IT)
    )


def _create_side(name: str, small: float, calories: int, description: str, *, is_vegan: bool = True) -> StarterItem:
    sizes = tuple(zip(SIZES, (small, small + 1.8), strict=True))
    return StarterItem(name, small, calories, description, is_vegan, is_halal=True, sizes=sizes, extra_groups=(DIPS,))


BURGER = StarterMenu(
    title="Burger bar",
    description="Beef, chicken and plant burgers to build on, sides in two sizes, dips and shakes.",
    categories={
        "Beef burgers": (
            _create_beef_burger(
                "House burger", 9.5, 690, "Beef, lettuce, tomato, pickles, house sauce.", is_popular=True
            ),
            _create_beef_burger("Cheeseburger", 10.2, 760, "Beef, double cheddar, onion, mustard.", is_popular=True),
            _create_beef_burger("Smokehouse", 12.0, 940, "Beef, bacon, smoked cheddar, barbecue sauce, crisp onions."),
            _create_beef_burger("Blue", 11.8, 870, "Beef, blue cheese, caramelised onions, rocket."),
        ),
        "Chicken and fish": (
            StarterItem(
                "Crispy chicken",
                10.5,
                780,
                "Buttermilk chicken, slaw, pickles.",
                is_halal=True,
                is_popular=True,
                extra_groups=(BUN, ON_IT),
            ),
            StarterItem(
                "Grilled chicken",
                10.5,
                590,
                "Lemon and thyme, avocado, tomato.",
                is_halal=True,
                extra_groups=(BUN, ON_IT),
            ),
            StarterItem(
                "Fish burger", 11.0, 640, "Battered cod, tartare sauce, lettuce.", is_halal=True, extra_groups=(BUN,)
            ),
        ),
        "From plants": (
            StarterItem(
                "Bean burger",
                9.8,
                560,
                "Black beans, corn, coriander, lime mayonnaise.",
                True,
                True,
                extra_groups=(VEGAN_BUN,),
            ),
            StarterItem(
                "Mushroom burger",
                10.2,
                510,
                "Portobello, roast pepper, rocket, pesto without cheese.",
                True,
                True,
                is_popular=True,
                extra_groups=(VEGAN_BUN,),
            ),
            StarterItem(
                "Halloumi burger",
                10.5,
                690,
                "Grilled halloumi, courgette, mint yoghurt.",
                is_halal=True,
                extra_groups=(BUN,),
            ),
        ),
        "Sides": (
            _create_side("Fries", 3.5, 380, "Fried twice, sea salt."),
            _create_side("Sweet potato fries", 4.2, 360, "With smoked paprika."),
            _create_side("Onion rings", 4.2, 410, "In a beerless batter."),
            _create_side("Chicken wings", 6.5, 520, "Hot or mild, six or twelve.", is_vegan=False),
            StarterItem("Slaw", 3.2, 140, "Cabbage, carrot, apple, vinegar.", True, True),
            StarterItem("Corn on the cob", 4.0, 210, "Grilled, with smoked salt and lime.", True, True),
            StarterItem("Side salad", 3.8, 80, "Leaves, tomato, cucumber.", True, True),
        ),
        "Sweet": (
            StarterItem("Brownie", 4.5, 430, "Warm, with a soft middle.", is_halal=True),
            StarterItem("Cookie", 2.8, 290, "Chocolate chips, sea salt.", is_halal=True),
            StarterItem("Fruit cup", 3.5, 90, "What is ripe today.", True, True),
        ),
        "Drinks": (
            StarterItem(
                "Milkshake",
                5.5,
                520,
                "Thick, 40 cl.",
                is_halal=True,
                is_popular=True,
                sizes=(("Vanilla", 5.5), ("Chocolate", 5.5), ("Strawberry", 5.5), ("Salted caramel", 5.9)),
            ),
            StarterItem(
                "Soft drink",
                3.0,
                140,
                "40 cl.",
                True,
                True,
                sizes=(("Cola", 3.0), ("Cola without sugar", 3.0), ("Orange", 3.0), ("Lemon", 3.0)),
            ),
            StarterItem(
                "Iced tea", 3.2, 90, "Made here, peach or lemon.", True, True, sizes=(("Peach", 3.2), ("Lemon", 3.2))
            ),
            StarterItem("Water", 2.2, 0, "50 cl.", True, True, sizes=(("Still", 2.2), ("Sparkling", 2.2))),
            StarterItem(
                "Bottled beer", 4.0, 140, "Lager, 33 cl.", sizes=(("With alcohol", 4.0), ("Without alcohol", 3.8))
            ),
        ),
    },
)
