"""The menu of the demo restaurant. Prices are in euro, calories in kilocalories per portion."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem

TOPPINGS = StarterExtraGroup(
    "Extra toppings",
    (
        ("Buffalo mozzarella", 2.5),
        ("Grilled courgette", 1.5),
        ("Black olives", 1.2),
        ("Spicy salami", 2.2),
        ("Rocket", 1.0),
    ),
    max=4,
)
CRUST = StarterExtraGroup("Crust", (("Classic", 0), ("Thin and crisp", 0), ("Wholemeal", 0.8)), min=1, max=1)
PASTA = StarterExtraGroup(
    "Pasta", (("Spaghetti", 0), ("Rigatoni", 0), ("Tagliatelle", 1.0), ("Gluten-free penne", 1.8)), min=1, max=1
)
ON_TOP = StarterExtraGroup(
    "On top", (("Grated pecorino", 0), ("Chilli oil", 0), ("Toasted breadcrumbs", 0), ("Burrata", 3.5)), max=3
)
SIDES = StarterExtraGroup(
    "Sides",
    (("Roast potatoes", 3.5), ("Braised greens", 3.5), ("Green salad", 3.0), ("White beans", 3.0)),
    max=3,
    free_count=1,
)
DONENESS = StarterExtraGroup("How would you like it?", (("Rare", 0), ("Medium", 0), ("Well done", 0)), min=1, max=1)
SCOOPS = StarterExtraGroup(
    "Flavours",
    (("Pistachio", 0), ("Hazelnut", 0), ("Lemon", 0), ("Dark chocolate", 0), ("Fig and honey", 0.5)),
    min=2,
    max=3,
    allows_repeats=True,
)
MILK = StarterExtraGroup("Milk", (("Whole milk", 0), ("Oat drink", 0.5), ("Almond drink", 0.6)), max=1)
PIZZA_SIZES = 4.5
WINE = 23


def _create_pizza(name: str, price: float, calories: int, description: str, **facts: bool) -> StarterItem:
    sizes = (("Regular, 30 cm", price), ("Family, 45 cm", price + PIZZA_SIZES))
    return StarterItem(name, price, calories, description, sizes=sizes, extra_groups=(CRUST, TOPPINGS), **facts)


def _create_wine(name: str, glass: float, bottle: float, description: str) -> StarterItem:
    sizes = (("Glass, 15 cl", glass), ("Bottle, 75 cl", bottle))
    return StarterItem(name, glass, 125, description, tax_rate=WINE, sizes=sizes)


STARTERS = (
    StarterItem(
        "Tomato bruschetta", 6.5, 240, "Grilled country bread, ripe tomatoes, basil.", True, True, is_popular=True
    ),
    StarterItem(
        "Burrata with figs", 11.0, 410, "Creamy burrata, roasted figs, thyme honey, hazelnuts.", is_popular=True
    ),
    StarterItem("Fried courgette flowers", 9.5, 380, "Stuffed with ricotta and lemon, in a light batter."),
    StarterItem("Beef carpaccio", 12.5, 290, "Thin raw beef, rocket, capers, shaved parmesan.", is_halal=True),
    StarterItem(
        "Octopus and potato salad", 13.0, 320, "Warm octopus, new potatoes, celery, parsley oil.", is_halal=True
    ),
    StarterItem("White bean soup", 7.5, 260, "Cannellini beans, rosemary, a thread of olive oil.", True, True),
    StarterItem("Aubergine parmigiana", 9.0, 430, "Layers of aubergine, tomato and smoked cheese, baked."),
    StarterItem("Marinated olives", 4.0, 180, "Green and black olives, orange peel, fennel seed.", True, True),
    StarterItem(
        "Focaccia from our oven", 4.5, 350, "Baked every morning, with sea salt.", True, True, extra_groups=(ON_TOP,)
    ),
    StarterItem(
        "Board of cured meats",
        14.5,
        520,
        "Prosciutto, coppa, finocchiona, pickles, warm bread.",
        sizes=(("For two", 14.5), ("For four", 26.0)),
    ),
)
PASTA_DISHES = (
    StarterItem(
        "Tomato and basil", 10.5, 560, "Slow tomato sauce, torn basil.", True, True, extra_groups=(PASTA, ON_TOP)
    ),
    StarterItem(
        "Carbonara", 13.0, 780, "Egg yolk, cured pork cheek, pecorino, pepper.", is_popular=True, extra_groups=(PASTA,)
    ),
    StarterItem(
        "Ragù of the house",
        13.5,
        740,
        "Beef and pork, six hours on a low flame.",
        is_popular=True,
        extra_groups=(PASTA, ON_TOP),
    ),
    StarterItem(
        "Pesto with green beans", 12.0, 690, "Basil pesto, potatoes and green beans.", extra_groups=(PASTA, ON_TOP)
    ),
    StarterItem("Clams and parsley", 16.5, 610, "Clams from the Tagus, white wine, garlic.", extra_groups=(PASTA,)),
    StarterItem("Mushroom risotto", 14.5, 650, "Porcini and chestnut mushrooms, thyme.", extra_groups=(ON_TOP,)),
    StarterItem("Pumpkin ravioli", 14.0, 580, "Filled by hand, with sage butter and amaretti."),
    StarterItem("Lasagne", 13.5, 820, "Five layers, baked until the corners are crisp.", is_sold_out=True),
    StarterItem("Gnocchi with gorgonzola", 13.0, 760, "Potato gnocchi, blue cheese, walnuts."),
    StarterItem("Chickpea and rosemary pasta", 11.0, 590, "A soup thick enough for a fork.", True, True),
)
PIZZAS = (
    _create_pizza("Marinara", 8.5, 640, "Tomato, garlic, oregano; no cheese.", is_vegan=True, is_halal=True),
    _create_pizza("Margherita", 9.5, 780, "Tomato, mozzarella, basil.", is_halal=True, is_popular=True),
    _create_pizza("Diavola", 12.0, 920, "Tomato, mozzarella, spicy salami, chilli honey.", is_popular=True),
    _create_pizza("Four cheeses", 12.5, 980, "Mozzarella, gorgonzola, taleggio, parmesan."),
    _create_pizza(
        "Vegetable garden", 11.5, 720, "Courgette, peppers, artichokes, olives.", is_vegan=True, is_halal=True
    ),
    _create_pizza("Prosciutto and rocket", 13.5, 860, "Mozzarella, cured ham, rocket, parmesan."),
    _create_pizza("Tuna and red onion", 12.0, 840, "Tomato, tuna, red onion, capers.", is_halal=True),
    _create_pizza("Capricciosa", 13.0, 900, "Ham, mushrooms, artichokes, olives."),
    _create_pizza("Sardines of Lisbon", 12.5, 810, "Tomato, grilled sardines, peppers, parsley.", is_halal=True),
    _create_pizza("Folded calzone", 12.5, 890, "Ricotta, ham and mozzarella in a closed crust."),
)
MAINS = (
    StarterItem(
        "Sliced beef steak",
        22.0,
        640,
        "Grilled sirloin, rosemary oil, sea salt.",
        is_halal=True,
        is_popular=True,
        extra_groups=(DONENESS, SIDES),
    ),
    StarterItem(
        "Chicken under a brick", 16.5, 590, "Half a chicken, pressed and crisp.", is_halal=True, extra_groups=(SIDES,)
    ),
    StarterItem(
        "Sea bass in salt", 23.5, 430, "Whole fish, filleted at the table.", is_halal=True, extra_groups=(SIDES,)
    ),
    StarterItem("Veal with lemon", 19.5, 520, "Thin escalopes, butter, lemon, capers.", extra_groups=(SIDES,)),
    StarterItem(
        "Oven-roasted lamb", 21.0, 710, "Shoulder of lamb, garlic, potatoes.", is_halal=True, extra_groups=(SIDES,)
    ),
    StarterItem(
        "Grilled squid", 18.0, 390, "Squid, parsley, chilli, on white beans.", is_halal=True, extra_groups=(SIDES,)
    ),
    StarterItem("Stuffed peppers", 14.0, 440, "Rice, pine nuts, raisins, tomato.", True, True, extra_groups=(SIDES,)),
    StarterItem("Sausages and lentils", 15.5, 720, "Fennel sausages, braised lentils, mustard."),
    StarterItem(
        "Salt cod with olives", 18.5, 480, "Slow-cooked cod, tomatoes, olives.", is_halal=True, extra_groups=(SIDES,)
    ),
    StarterItem("Grilled vegetables", 13.0, 310, "Whatever the market had, with salsa verde.", True, True),
)
SWEETS_AND_DRINKS = (
    StarterItem("Tiramisu", 6.5, 450, "Coffee, mascarpone, cocoa; made this morning.", is_popular=True),
    StarterItem("Lemon and olive oil cake", 5.5, 390, "With a spoon of yoghurt.", is_halal=True),
    StarterItem(
        "Ice cream",
        4.5,
        270,
        "From the machine behind the counter.",
        is_halal=True,
        sizes=(("Two scoops", 4.5), ("Three scoops", 6.0)),
        extra_groups=(SCOOPS,),
    ),
    StarterItem("Poached pear", 6.0, 210, "In spiced red grape juice, with almonds.", True, True),
    StarterItem(
        "Still or sparkling water",
        2.5,
        0,
        "From the spring of the Serra, 50 cl.",
        True,
        True,
        sizes=(("Still", 2.5), ("Sparkling", 2.7)),
    ),
    StarterItem("Blood orange soda", 3.2, 140, "Bottled in Sicily, 27 cl.", True, True),
    _create_wine("House red", 4.2, 18.0, "A round red from the Alentejo."),
    _create_wine("House white", 4.2, 18.0, "A fresh white with lime and peach."),
    StarterItem("Cappuccino", 2.4, 110, "Double shot, fine foam.", is_halal=True, extra_groups=(MILK,)),
    StarterItem("Espresso", 1.2, 2, "Short and dark.", True, True, is_popular=True),
)

MENU = {
    "Starters": STARTERS,
    "Pasta and rice": PASTA_DISHES,
    "Pizza": PIZZAS,
    "From the grill and the oven": MAINS,
    "Sweets and drinks": SWEETS_AND_DRINKS,
}
