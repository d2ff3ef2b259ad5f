"""Menus and menu items for tests, and imports of menus."""

PIZZA = {
    "name": "Margherita",
    "description": "Tomato, mozzarella, basil",
    "image_url": "https://example.com/margherita.jpg",
    "price": 9.5,
    "tax_rate": 10,
    "is_popular": True,
    "is_active": True,
    "position": 4,
    "is_vegan": False,
    "is_halal": True,
    "calories": 820,
}

CHOICES = {
    "variations": [{"name": "Small", "price": 7}, {"name": "Large", "price": 12.25}],
    "extra_groups": [
        {
            "name": "Cheese",
            "is_required": True,
            "max": 2,
            "free_count": 1,
            "allows_repeats": True,
            "extras": [{"name": "Burrata", "price": 3}, {"name": "Ricotta", "price": 0.5, "is_sold_out": True}],
        }
    ],
}

IMPORTED_MENU = [
    {
        "name": "Pizza",
        "items": [
            {
                "name": "Margherita", "price": 9.5, "description": "Basil", "tax_rate": 7, "is_vegan": True,
                "gallery": [{"url": "https://a.example/m.jpg", "alt": "Whole"}],
                "variations": [{"name": "Large", "price": "12.50", "sku": "M-L"}, {"name": "Small", "price": 7}],
                "extra_groups": [
                    {"name": "On top", "max": 3, "extras": [
                        {"name": "Ham", "price": 2}, {"name": "Olives", "price": 1}]}
                ],
            },
            {"name": "Marinara", "price": 8},
        ],
    },
    {"name": "Drinks", "is_active": False, "items": [{"name": "Water", "price": "2.00", "is_popular": True}]},
]  # fmt: skip


async def import_menu(store, menu=IMPORTED_MENU, **options):
    return await store.send("POST", "/menu/import", {"menu": menu, **options})


def to_counts(reply, entity="items"):
    assert reply.status == 200, reply
    return tuple(reply[entity][name] for name in ("created", "updated", "unchanged", "removed"))


async def read_menu(store):
    """Return the owner's menu."""
    return (await store.get("/menu")).document
