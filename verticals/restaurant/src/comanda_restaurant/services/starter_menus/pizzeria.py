"""The starter menu of a pizzeria: pizzas, starters, salads, desserts."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus.menu import StarterMenu

DOUGH = StarterExtraGroup("Dough", (("Classic", 0), ("Wholemeal", 0.8), ("Gluten-free", 2.5)), min=1, max=1)
TOPPINGS = StarterExtraGroup(
    "Extra toppings",
    (
        ("Mozzarella", 1.8),
        ("Mushrooms", 1.5),
        ("Olives", 1.2),
        ("Spicy salami", 2.2),
        ("Anchovies", 1.8),
        ("Rocket", 1.0),
        ("Vegan mozzarella", 2.2),
    ),
    max=5,
)
DRESSING = StarterExtraGroup("Dressing", (("Olive oil and vinegar", 0), ("Lemon", 0), ("Balsamic", 0.5)), min=1, max=1)
LARGE = 4.0


def _create_pizza(name: str, price: float, calories: int, description: str, **facts: bool) -> StarterItem:
    sizes = (("30 cm", price), ("40 cm", price + LARGE))
    return StarterItem(name, price, calories, description, sizes=sizes, extra_groups=(DOUGH, TOPPINGS), **facts)


PIZZERIA = StarterMenu(
    title="Pizzeria",
    description="Pizzas in two sizes with toppings to add, starters, salads, desserts and drinks.",
    categories={
        "To begin with": (
            StarterItem(
                "Garlic bread", 4.5, 320, "Pizza dough, garlic, parsley, olive oil.", True, True, is_popular=True
            ),
            StarterItem("Bruschetta", 6.0, 240, "Tomato, basil, grilled bread.", True, True),
            StarterItem("Caprese", 8.5, 380, "Mozzarella, tomato, basil.", is_halal=True),
            StarterItem("Fried calamari", 9.5, 430, "Crisp rings, lemon mayonnaise.", is_halal=True),
        ),
        "Red pizzas": (
            _create_pizza("Marinara", 8.0, 640, "Tomato, garlic, oregano; no cheese.", is_vegan=True, is_halal=True),
            _create_pizza("Margherita", 9.0, 780, "Tomato, mozzarella, basil.", is_halal=True, is_popular=True),
            _create_pizza("Diavola", 11.5, 920, "Tomato, mozzarella, spicy salami, chilli.", is_popular=True),
            _create_pizza("Ham and mushrooms", 11.5, 880, "Tomato, mozzarella, cooked ham, mushrooms."),
            _create_pizza("Tuna and onion", 11.8, 850, "Tomato, mozzarella, tuna, red onion.", is_halal=True),
            _create_pizza(
                "Garden",
                11.0,
                700,
                "Tomato, courgette, peppers, artichokes, olives; no cheese.",
                is_vegan=True,
                is_halal=True,
            ),
        ),
        "White pizzas": (
            _create_pizza("Four cheeses", 12.5, 980, "Mozzarella, gorgonzola, fontina, parmesan."),
            _create_pizza("Potato and rosemary", 10.5, 810, "Thin potatoes, mozzarella, rosemary.", is_halal=True),
            _create_pizza("Mortadella and pistachio", 13.5, 990, "Mozzarella, mortadella after baking, pistachios."),
            _create_pizza("Smoked salmon", 14.0, 860, "Cream, mozzarella, salmon after baking, dill.", is_halal=True),
        ),
        "Salads": (
            StarterItem("Green salad", 5.5, 90, "Leaves, cucumber, seeds.", True, True, extra_groups=(DRESSING,)),
            StarterItem(
                "Rocket and parmesan", 7.0, 210, "Rocket, shaved parmesan, cherry tomatoes.", extra_groups=(DRESSING,)
            ),
            StarterItem(
                "Tuna salad",
                9.5,
                360,
                "Leaves, tuna, egg, olives, green beans.",
                is_halal=True,
                extra_groups=(DRESSING,),
            ),
        ),
        "Desserts": (
            StarterItem("Tiramisu", 6.0, 450, "Coffee, mascarpone, cocoa.", is_popular=True),
            StarterItem("Panna cotta", 5.5, 340, "With berries."),
            StarterItem("Lemon sorbet", 4.5, 160, "Two scoops.", True, True),
        ),
        "Drinks": (
            StarterItem("Water", 2.5, 0, "50 cl.", True, True, sizes=(("Still", 2.5), ("Sparkling", 2.5))),
            StarterItem("Cola", 3.0, 140, "33 cl.", True, True, sizes=(("Classic", 3.0), ("Without sugar", 3.0))),
            StarterItem("Blood orange soda", 3.4, 130, "27 cl.", True, True),
            StarterItem("Draught beer", 4.2, 150, "Lager.", sizes=(("25 cl", 4.2), ("50 cl", 7.0))),
            StarterItem(
                "House wine", 4.5, 125, "Red or white.", sizes=(("Glass, 15 cl", 4.5), ("Carafe, 50 cl", 13.0))
            ),
            StarterItem("Espresso", 1.8, 3, "Short and dark.", True, True),
        ),
    },
)
