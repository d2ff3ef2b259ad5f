"""The starter menu of a lounge: cocktails, mocktails, wine, sharing plates."""

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus.menu import StarterMenu

SWEETNESS = StarterExtraGroup("How sweet?", (("As it is", 0), ("Less sweet", 0), ("Dry", 0)), max=1)
MIXER = StarterExtraGroup("With", (("Tonic", 0), ("Dry tonic", 0), ("Ginger beer", 0.5), ("Soda", 0)), min=1, max=1)
DIP = StarterExtraGroup(
    "Dip", (("Aioli", 0), ("Harissa yoghurt", 0), ("Tomato and chilli", 0)), min=1, max=2, free_count=1
)


def _create_cocktail(
    name: str, price: float, calories: int, description: str, *, is_popular: bool = False
) -> StarterItem:
    return StarterItem(name, price, calories, description, is_popular=is_popular, extra_groups=(SWEETNESS,))


def _create_mocktail(
    name: str, price: float, calories: int, description: str, *, is_popular: bool = False
) -> StarterItem:
    return StarterItem(name, price, calories, description, True, True, is_popular=is_popular, extra_groups=(SWEETNESS,))


def _create_gin(name: str, price: float, description: str) -> StarterItem:
    sizes = (("4 cl", price), ("6 cl", price + 3.0))
    return StarterItem(name, price, 170, description, sizes=sizes, extra_groups=(MIXER,))


def _create_wine(name: str, glass: float, bottle: float, description: str) -> StarterItem:
    return StarterItem(name, glass, 125, description, sizes=(("Glass, 15 cl", glass), ("Bottle, 75 cl", bottle)))


LOUNGE = StarterMenu(
    title="Lounge",
    description="Cocktails with and without alcohol, gin, wine, plates to share and something sweet.",
    categories={
        "Cocktails": (
            _create_cocktail("Negroni", 11.0, 190, "Gin, bitter, red vermouth, orange.", is_popular=True),
            _create_cocktail("Espresso martini", 11.5, 220, "Vodka, coffee liqueur, a fresh shot."),
            _create_cocktail("Margarita", 11.0, 200, "Tequila, lime, orange liqueur, salt."),
            _create_cocktail("Old fashioned", 12.0, 160, "Bourbon, sugar, bitters."),
            _create_cocktail("Mojito", 10.5, 210, "Rum, lime, mint, soda."),
            _create_cocktail("Spritz", 9.0, 170, "Bitter orange, sparkling wine, soda.", is_popular=True),
        ),
        "Without alcohol": (
            _create_mocktail(
                "Garden spritz", 7.5, 90, "Bitter orange without alcohol, soda, rosemary.", is_popular=True
            ),
            _create_mocktail("Virgin mojito", 7.0, 110, "Lime, mint, cane sugar, soda."),
            _create_mocktail("Ginger and pear", 7.0, 120, "Pear juice, ginger, lemon."),
            _create_mocktail("Hibiscus cooler", 6.8, 80, "Hibiscus tea, raspberry, lime."),
        ),
        "Gin": (
            _create_gin("Dry gin", 9.5, "Juniper first."),
            _create_gin("Citrus gin", 10.0, "Lemon, bergamot, coriander."),
            _create_gin("Barrel-aged gin", 12.0, "Six months in oak."),
        ),
        "Wine and beer": (
            _create_wine("Sparkling", 6.5, 32.0, "Brut, fine bubbles."),
            _create_wine("White", 5.8, 27.0, "Fresh, citrus and stone."),
            _create_wine("Rosé", 5.8, 27.0, "Pale and dry."),
            _create_wine("Red", 6.2, 29.0, "Dark fruit, soft."),
            StarterItem("Lager", 4.8, 150, "From the tap.", sizes=(("25 cl", 4.8), ("40 cl", 6.8))),
            StarterItem("Pale ale", 5.8, 180, "Bottle, 33 cl."),
        ),
        "To share": (
            StarterItem("Marinated olives", 4.5, 180, "Orange peel, fennel seed.", True, True),
            StarterItem("Smoked almonds", 4.2, 290, "Salt and paprika.", True, True),
            StarterItem(
                "Hummus and flat bread", 7.5, 420, "Cumin, olive oil, warm bread.", True, True, is_popular=True
            ),
            StarterItem("Potato wedges", 6.5, 450, "Rosemary salt.", True, True, extra_groups=(DIP,)),
            StarterItem("Chicken skewers", 9.5, 380, "Lemon and za'atar.", is_halal=True, extra_groups=(DIP,)),
            StarterItem(
                "Board of cheese",
                14.5,
                610,
                "Four cheeses, fig jam, nuts, bread.",
                sizes=(("For two", 14.5), ("For four", 26.0)),
            ),
            StarterItem(
                "Board of cured meats",
                15.5,
                580,
                "Three cured meats, pickles, bread.",
                sizes=(("For two", 15.5), ("For four", 28.0)),
            ),
            StarterItem("Prawns in garlic", 12.5, 340, "Chilli, parsley, bread to dip.", is_halal=True),
        ),
        "Sweet": (
            StarterItem("Chocolate mousse", 6.5, 380, "Dark, with sea salt.", is_halal=True),
            StarterItem("Date cake", 6.8, 430, "Warm, with caramel.", is_halal=True),
            StarterItem("Sorbet", 5.5, 150, "Two scoops: lemon and raspberry.", True, True),
        ),
        "Coffee, tea and water": (
            StarterItem("Espresso", 2.4, 3, "Short.", True, True, sizes=(("Single", 2.4), ("Double", 3.2))),
            StarterItem("Fresh mint tea", 3.8, 5, "A pot.", True, True),
            StarterItem("Water", 3.2, 0, "50 cl.", True, True, sizes=(("Still", 3.2), ("Sparkling", 3.2))),
        ),
    },
)
