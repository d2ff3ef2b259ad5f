"""The starter menu of a café: coffee, all-day breakfast, light lunches."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus.menu import StarterMenu

MILK = StarterExtraGroup("Milk", (("Whole", 0), ("Skimmed", 0), ("Oat", 0.5), ("Almond", 0.6)), max=1)
EXTRA_COFFEE = StarterExtraGroup(
    "Make it yours", (("Extra shot", 0.8), ("Vanilla syrup", 0.6), ("Decaffeinated", 0)), max=3
)
BREAD = StarterExtraGroup("Bread", (("Sourdough", 0), ("Rye", 0), ("Gluten-free", 1.2)), min=1, max=1)
EGGS = StarterExtraGroup("Eggs", (("Poached", 0), ("Scrambled", 0), ("Fried", 0)), min=1, max=1)
ON_TOAST = StarterExtraGroup(
    "Add", (("Avocado", 2.2), ("Smoked salmon", 3.8), ("Halloumi", 2.9), ("Tomato", 1.2)), max=4
)


def _create_coffee(
    name: str, small: float, calories: int, description: str, *, is_popular: bool = False
) -> StarterItem:
    sizes = (("Small, 20 cl", small), ("Large, 35 cl", small + 0.8))
    return StarterItem(
        name,
        small,
        calories,
        description,
        is_halal=True,
        is_popular=is_popular,
        sizes=sizes,
        extra_groups=(MILK, EXTRA_COFFEE),
    )


CAFE = StarterMenu(
    title="Café",
    description="Coffee from the machine and by hand, breakfast all day, bowls and toasts at noon.",
    categories={
        "Coffee": (
            StarterItem("Espresso", 2.0, 3, "One shot, short.", True, True, sizes=(("Single", 2.0), ("Double", 2.7))),
            _create_coffee("Flat white", 3.4, 120, "Double shot, thin foam.", is_popular=True),
            _create_coffee("Cappuccino", 3.3, 130, "One part coffee, much foam, cocoa if you like."),
            _create_coffee("Latte", 3.5, 170, "Mild, with plenty of milk."),
            StarterItem("Filter coffee", 3.0, 5, "Poured over by hand; ask for the bean of the week.", True, True),
            StarterItem("Cold brew", 3.9, 10, "Steeped for sixteen hours, over ice.", True, True),
        ),
        "Tea and chocolate": (
            StarterItem("Pot of black tea", 3.2, 2, "Breakfast blend, milk or lemon beside it.", True, True),
            StarterItem("Fresh mint tea", 3.4, 5, "A fistful of mint, honey on the side.", True, True),
            StarterItem(
                "Masala chai", 3.8, 150, "Simmered with ginger, cardamom and milk.", is_halal=True, extra_groups=(MILK,)
            ),
            StarterItem(
                "Hot chocolate", 3.9, 290, "Dark chocolate, melted into milk.", is_halal=True, extra_groups=(MILK,)
            ),
        ),
        "Breakfast all day": (
            StarterItem(
                "Eggs on toast",
                8.5,
                430,
                "Two free-range eggs, butter, chives.",
                is_halal=True,
                is_popular=True,
                extra_groups=(EGGS, BREAD, ON_TOAST),
            ),
            StarterItem(
                "Avocado toast",
                9.5,
                390,
                "Lime, chilli flakes, toasted seeds.",
                True,
                True,
                is_popular=True,
                extra_groups=(BREAD, ON_TOAST),
            ),
            StarterItem("Shakshuka", 11.0, 460, "Two eggs in tomato and pepper, flat bread.", is_halal=True),
            StarterItem("Overnight oats", 6.5, 340, "Oats in oat drink, apple, cinnamon, walnuts.", True, True),
            StarterItem("Yoghurt and granola", 6.8, 380, "Thick yoghurt, house granola, berries.", is_halal=True),
            StarterItem(
                "Pancakes",
                9.0,
                620,
                "Three, with maple syrup and butter.",
                is_halal=True,
                extra_groups=(
                    StarterExtraGroup("Add", (("Blueberries", 1.8), ("Bacon", 2.8), ("Banana", 1.2)), max=3),
                ),
            ),
        ),
        "From noon": (
            StarterItem(
                "Soup of the day",
                7.0,
                260,
                "Vegetables of the season, bread beside it.",
                True,
                True,
                extra_groups=(BREAD,),
            ),
            StarterItem(
                "Grain bowl", 11.5, 540, "Bulgur, roast squash, chickpeas, tahini.", True, True, is_popular=True
            ),
            StarterItem(
                "Chicken sandwich",
                9.8,
                610,
                "Roast chicken, lemon mayonnaise, crisp lettuce.",
                is_halal=True,
                extra_groups=(BREAD,),
            ),
            StarterItem("Grilled cheese", 8.2, 640, "Two cheeses, pickled onion, mustard.", extra_groups=(BREAD,)),
        ),
        "Sweet": (
            StarterItem("Butter croissant", 2.8, 270, "Baked this morning.", is_popular=True),
            StarterItem("Banana bread", 3.6, 330, "Toasted, with salted butter.", is_halal=True),
            StarterItem("Carrot cake", 4.6, 420, "Walnuts and cream cheese.", is_halal=True),
            StarterItem("Date and nut ball", 2.4, 140, "Dates, hazelnuts, cocoa.", True, True),
        ),
        "Cold drinks": (
            StarterItem("Fresh orange juice", 4.2, 110, "Pressed when you order, 25 cl.", True, True),
            StarterItem("House lemonade", 3.8, 120, "Lemon, mint, a little sugar.", True, True),
            StarterItem(
                "Water", 2.4, 0, "Still or sparkling, 33 cl.", True, True, sizes=(("Still", 2.4), ("Sparkling", 2.4))
            ),
        ),
    },
)
