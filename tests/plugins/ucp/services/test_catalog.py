"""The catalog."""

from tests.plugins.ucp.conftest import list_codes


async def test_search_finds_words_in_any_order(agent):
    dishes = await agent.store.category("Dishes")
    await agent.store.item("Tomato soup", 5, category_id=dishes, description="Hot, with basil")
    await agent.store.item("Tomato salad", 6, category_id=dishes)
    await agent.store.item("Tea", 2)

    found = await agent.must("POST", "/catalog/search", {"query": "BASIL tomato"})
    listed = await agent.must("POST", "/catalog/search", {"query": "dishes", "filters": {"price": {"min": 600}}})

    (product,) = found["products"]
    assert (product["title"], product["description"]) == ("Tomato soup", {"plain": "Hot, with basil"})
    assert product["price_range"]["min"] == {"amount": 500, "currency": "EUR"}
    assert product["url"] == f"http://comanda.test/s/{agent.slug}/items/{product['id']}"
    assert product["variants"][0]["availability"] == {"available": True}
    assert [each["title"] for each in listed["products"]] == ["Tomato salad"]


async def test_search_is_paged(agent):
    dishes = await agent.store.category("Dishes")
    for number in range(3):
        await agent.store.item(f"Dish {number}", 5, category_id=dishes)

    first = await agent.must("POST", "/catalog/search", {"pagination": {"limit": 2}})
    rest = await agent.must("POST", "/catalog/search", {"pagination": {"limit": 2, "cursor": "2"}})

    assert first["pagination"] == {"has_next_page": True, "total_count": 3, "cursor": "2"}
    assert [each["title"] for each in rest["products"]] == ["Dish 2"]
    assert rest["pagination"] == {"has_next_page": False, "total_count": 3}


async def test_lookup_says_which_ids_are_unknown(agent, soup, other_owner):
    tea = await agent.store.item("Tea", 2, variations=[{"name": "Small", "price": 2}, {"name": "Large", "price": 3}])
    small, large = (f"{tea['id']}-{each['id']}" for each in tea["variations"])

    found = await agent.must("POST", "/catalog/lookup", {"ids": [str(soup["id"]), large, str(tea["id"]), "7-7", "x"]})

    inputs = {each["id"]: each["inputs"] for product in found["products"] for each in product["variants"]}
    assert inputs == {
        str(soup["id"]): [{"id": str(soup["id"]), "match": "exact"}],
        large: [{"id": large, "match": "exact"}],
        small: [{"id": str(tea["id"]), "match": "featured"}],
    }
    assert [(each["code"], each["content"]) for each in found["messages"]] == [("not_found", "7-7"), ("not_found", "x")]


async def test_product_shows_variants_with_selected_options(agent):
    tea = await agent.store.item("Tea", 2, variations=[{"name": "Small", "price": 2}, {"name": "Large", "price": 3}])
    body = {"id": str(tea["id"]), "selected": [{"name": "Variation", "label": "Large"}]}

    product = (await agent.must("POST", "/catalog/product", body))["product"]
    body["selected"][0]["label"] = "Huge"
    relaxed = (await agent.must("POST", "/catalog/product", body))["product"]

    assert [each["title"] for each in product["variants"]] == ["Large"]
    assert product["selected"] == [{"name": "Variation", "label": "Large"}]
    assert product["options"] == [{"name": "Variation", "values": [{"label": "Small"}, {"label": "Large"}]}]
    assert (relaxed["selected"], len(relaxed["variants"])) == ([], 2)


async def test_item_off_the_menu_is_no_product(agent, soup):
    await agent.store.send("PUT", f"/menu/items/{soup['id']}", {"is_active": False})

    document = await agent.must("POST", "/catalog/product", {"id": str(soup["id"])})

    assert (document["ucp"]["status"], list_codes(document)) == ("error", ["not_found"])
    assert (await agent.must("POST", "/catalog/search", {}))["products"] == []
