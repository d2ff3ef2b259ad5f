"""Rooms, guests and menu of the demo hotel. Prices are in euro."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoRoomType:
    """A room type with its rooms. ``terms`` are fields of the API; ``weekend_price`` is for Friday and Saturday."""

    name: str
    terms: Mapping[str, object]
    weekend_price: float
    rooms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoGuest:
    """The guests of one stay; ``arrives_in_days`` counts from the creation of the demo."""

    name: str
    kind: str
    arrives_in_days: int
    nights: int
    phone: str | None = None
    adults: int = 1
    children: int = 0
    note: str | None = None
    is_in_house: bool = False
    is_undecided: bool = False
    email: str | None = None


ROOM_TYPES = (
    DemoRoomType(
        "Double, courtyard",
        {"base_price": 92, "max_adults": 2, "base_adults": 2, "description": "Quiet, 16 m², a bed for two."},
        110,
        ("101", "102", "103", "104", "105"),
    ),
    DemoRoomType(
        "Double, river view",
        {
            "base_price": 128,
            "max_adults": 3,
            "max_children": 1,
            "base_adults": 2,
            "extra_adult_price": 30,
            "description": "21 m² and a balcony above the Douro.",
        },
        149,
        ("201", "202", "203", "204", "205"),
    ),
    DemoRoomType(
        "Attic suite",
        {
            "base_price": 214,
            "max_adults": 4,
            "max_children": 2,
            "base_adults": 2,
            "extra_adult_price": 38,
            "min_stay": 2,
            "description": "Two rooms under the roof, 44 m², for families.",
        },
        239,
        ("301", "302"),
    ),
)
GUESTS = (
    DemoGuest("Ingrid Solheim", "Double, river view", 0, 3, "+47 22 55 01 31", 2, is_in_house=True),
    DemoGuest("Tomás Abrantes", "Double, courtyard", 0, 1, "+351 910 555 014", is_in_house=True),
    DemoGuest("Family Okafor", "Attic suite", 0, 4, "+44 20 7946 0817", 2, 2, "A cot, please.", is_in_house=True),
    DemoGuest("Mireille Garnier", "Double, courtyard", 0, 2, "+33 1 99 00 45 12", 2, note="Arrives after 22:00."),
    DemoGuest("Jonas Wendt", "Double, river view", 0, 1, None, 2),
    DemoGuest("Lucía Ferrán", "Double, river view", 1, 2, "+34 910 555 227", 3, note="Three of us, two beds."),
    DemoGuest("Piotr Zieliński", "Double, courtyard", 2, 5, "+48 22 555 01 09"),
    DemoGuest("Harriet Bloom", "Attic suite", 6, 3, "+1 202 555 0143", 4, is_undecided=True),
    DemoGuest("Daichi Mori", "Double, river view", 9, 2, None, 2),
)
# Guests who book on the hotel's page and pay its deposit.
ONLINE_GUESTS = (
    DemoGuest("Noor van Dijk", "Double, river view", 12, 3, "+31 20 555 0147", 2, email="noor@guests.example"),
    DemoGuest("Elena Rossi", "Double, courtyard", 1, 2, "+39 06 5550 0121", 2, note="By train, around 18:00."),
)
# What they pay in advance.
DEPOSIT_PERCENT = 30

MENU = {
    "Breakfast in bed": (
        ("Continental tray", 14.0, "Two rolls, butter, jams, fruit, coffee or tea."),
        ("Full breakfast", 19.5, "Eggs as you like them, bacon or mushrooms, toast, juice."),
        ("Porridge with pears", 9.0, "Oats, roasted pears, almonds."),
        ("Basket of pastries", 8.5, "Four small ones, baked next door."),
    ),
    "All day": (
        ("Caldo verde", 8.0, "Kale soup with potatoes and a slice of chouriço."),
        ("Club sandwich", 15.5, "Chicken, bacon, tomato, crisps."),
        ("Francesinha", 16.5, "The city's own sandwich, under melted cheese and its sauce."),
        ("Goat cheese salad", 13.0, "Leaves, walnuts, honey."),
        ("Steak and fries", 24.0, "200 g sirloin, medium unless you tell us."),
    ),
    "Sweet": (
        ("Pastel de nata", 2.8, "Warm, with cinnamon."),
        ("Chocolate mousse", 6.5, "Dark, with sea salt."),
    ),
    "Drinks": (
        ("Mineral water, 75 cl", 4.0, "Still or sparkling; tell us which."),
        ("Freshly pressed orange juice", 5.0, "From the Algarve."),
        ("Tawny port, ten years", 9.5, "A glass, 6 cl."),
        ("Vinho verde", 21.0, "A bottle, well chilled."),
        ("Pot of tea", 4.5, "Black, green or verbena."),
    ),
}
