"""Validation of menu tools."""

INVALID_ITEMS = [
    ({"price": -1}, "price"),
    ({"price": 1.234}, "price"),
    ({"price": True}, "price"),
    ({"name": "  "}, "name"),
    ({"image_url": "javascript:alert(1)"}, "image_url"),
    ({"gallery": [{"url": "javascript:alert(1)"}]}, "gallery.0.url"),
    ({"details": {"brand": "Acme"}}, "details"),
    ({"details": {"price": 1}}, "details"),
    ({"details": {"calories": "many"}}, "calories"),
    ({"details": {f"x{number}": 1 for number in range(51)}}, "details"),
    ({"extra_groups": [{"name": "None", "extras": []}]}, "extra_groups.0.extras"),
    ({"category_id": 987654321}, "category_id"),
]


async def test_invalid_item_is_refused_by_argument(agent, store, subtests):
    category_id = await store.category("Pizza")

    for wrong, field in INVALID_ITEMS:
        with subtests.test(wrong=wrong, field=field):
            arguments = {"category_id": category_id, "name": "Marinara", "price": 8.5, **wrong}

            refused = await agent.refused("add_menu_item", arguments)

            assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])
            assert [category["items"] for category in (await store.get("/menu")).document] == [[]]
