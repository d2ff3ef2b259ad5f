"""The details of an item, which its dialog requests."""

import pytest
from comanda.devkit.testing import TestStore


@pytest.fixture
def get_item(store, get_slug):
    async def get_item(item_id, **headers):
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        response = await store.client.get(f"/s/{await get_slug(store)}/items/{item_id}/details", headers=spelled)
        return response, await response.get_json()

    return get_item


async def test_item_has_pictures_facts_and_options(store, get_item):
    group = {
        "name": "Base",
        "min": 1,
        "max": 1,
        "extras": [{"name": "White"}, {"name": "Red", "price": 1, "is_sold_out": True}],
    }
    gallery = [{"url": "https://photos.example/b.jpg", "alt": "From above"}]
    pizza = await store.item(
        "Pizza", 9.5, description="Thin", is_vegan=True, calories=800, extra_groups=[group],
        image_url="http://comanda.test/a.jpg", gallery=gallery,
    )  # fmt: skip

    response, found = await get_item(pizza["id"])

    assert response.headers["Cache-Control"] == "private, max-age=60"
    extras = pizza["extra_groups"][0]["extras"]
    assert found == {
        "id": pizza["id"], "name": "Pizza", "description": "Thin", "price": 950, "is_sold_out": False,
        "facts": ["Vegan", "800 kcal"],
        "pictures": [
            {"url": "http://comanda.test/a.jpg", "srcset": None, "alt": "Pizza", "is_external": False},
            {"url": "https://photos.example/b.jpg", "srcset": None, "alt": "From above", "is_external": True},
        ],
        "variations": [],
        "groups": [
            {
                "name": "Base", "rule": "required, choose one", "min": 1, "max": 1, "free": 0, "repeats": False,
                "extras": [
                    {"id": extras[0]["id"], "name": "White", "price": 0, "gone": False},
                    {"id": extras[1]["id"], "name": "Red", "price": 100, "gone": True},
                ],
            }
        ],
    }  # fmt: skip


async def test_facts_are_in_the_language_of_the_guest(store, get_item):
    pizza = await store.item("Pizza", is_vegan=True)

    _, found = await get_item(pizza["id"], Accept_Language="pt")

    assert found["facts"] == ["Vegano"]


async def test_sold_out_item_says_so(store, get_item):
    soup = await store.item("Soup", is_sold_out=True)

    _, found = await get_item(soup["id"])

    assert found["is_sold_out"] is True


async def test_pieces_that_an_order_leaves_are_in_the_next_answer(open_store, get_slug):
    shop = await open_store("pharmacy")
    plaster = await shop.item("Plaster", 3)
    path = f"/menu/items/{plaster['id']}/variants"
    wide = await shop.send("POST", path, {"name": "Wide", "price": 3, "stock": 4})
    address = f"/s/{await get_slug(shop)}/items/{plaster['id']}/details"

    seen = []
    for _ in range(3):
        found = await (await shop.client.get(address)).get_json()
        seen += [(each["left"], each["gone"]) for each in found["variations"]]
        await shop.order({"item_id": plaster["id"], "variation": wide["id"]}, type="in_store")

    assert seen == [(None, False), (3, False), (2, False)]


async def test_item_that_is_not_on_this_menu_returns_404(store, get_item, other_store):
    hidden, theirs = await store.item("Soup", is_active=False), await other_store.item("Theirs")

    for item_id in (hidden["id"], theirs["id"], 987_654_321, 0, -1, "x", 2**70):
        response, _ = await get_item(item_id)
        assert response.status_code == 404


async def test_item_of_unpublished_store_returns_404(store, get_item, update_settings):
    soup = await store.item("Soup")
    await update_settings(store, is_published=False)

    response, _ = await get_item(soup["id"])

    assert response.status_code == 404


async def test_picture_with_another_scheme_is_left_out(store, get_item):
    soup = await store.item("Soup", gallery=[{"url": "https://photos.example/b.jpg"}])

    _, found = await get_item(soup["id"])

    assert [(each["alt"], each["is_external"]) for each in found["pictures"]] == [("Soup", True)]


async def test_a_combo_says_what_each_of_its_choices_contains(store, get_item):
    satay = await store.item("Satay", 9, has_allergen_information=True, allergens=["peanuts"])
    rice = await store.item("Rice", 3, is_vegan=True)
    extras = [{"name": f"{each['name']}, small", "item_id": each["id"]} for each in (satay, rice)]
    combo = await store.item("Set menu", 11, extra_groups=[{"name": "Main", "min": 1, "extras": extras}])

    _, found = await get_item(combo["id"])

    assert found["facts"] == []
    assert [each["facts"] for each in found["groups"][0]["extras"]] == ["Contains: Peanuts", "Vegan"]


async def test_reduced_price_stands_beside_the_lowest_of_the_days_before(client, owner, get_slug):
    bazaar = TestStore(client, owner, await owner.store(store_type="retail"))
    shirt = await bazaar.item("Shirt", 20, variations=[{"name": "Small", "price": 20}, {"name": "Large", "price": 25}])
    small, _large = shirt["variations"]
    change = {"price": 16.5, "compare_at_price": 22}
    await bazaar.send("PUT", f"/menu/items/{shirt['id']}/variants/{small['id']}", change)
    slug = await get_slug(bazaar)

    details = await (await bazaar.client.get(f"/s/{slug}/items/{shirt['id']}/details")).get_json()
    page = await (await bazaar.client.get(f"/s/{slug}")).get_data(as_text=True)

    sentence = "Reduced; lowest price of the 30 days before: €20.00"
    assert details["facts"] == [sentence]
    assert [each.get("facts") for each in details["variations"]] == [sentence, None]
    assert f'<span class="badge">{sentence}</span>' in page
