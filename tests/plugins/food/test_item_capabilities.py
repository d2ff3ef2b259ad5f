"""Facts of dishes in menus, files and pages."""

from comanda.platform.db import sql

SELECT_SLUG = "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2"


async def get_slug(store):
    return await sql.fetch_value(SELECT_SLUG, store.id, store.owner.id)


def list_items(menu):
    return {item["name"]: item for category in menu for item in category["items"]}


async def test_menus_have_the_facts(store, create_pesto):
    created = await create_pesto(additives=["colour"], spiciness=1, alcohol_percent=0.5)
    await store.item("Bread")

    guests = list_items(await store.public_menu())
    assert guests["Pesto"]["allergens"] == ["milk", "cashews"] == created["allergens"]
    assert (guests["Pesto"]["spiciness"], guests["Pesto"]["alcohol_percent"]) == (1, 0.5)
    assert guests["Pesto"]["choice_facts"][0] == {
        "name": "With prawns", "allergens": ["crustaceans"], "diets": ["gluten_free"],
    }  # fmt: skip
    assert not {"allergens", "may_contain", "choice_facts", "spiciness"} & guests["Bread"].keys()


async def test_facts_are_changed_and_cleared(store, create_pesto):
    dish = await create_pesto()

    changed = await store.send("PUT", f"/menu/items/{dish['id']}", {"allergens": ["eggs"], "may_contain": []})

    assert changed["allergens"] == ["eggs"]
    assert "may_contain" not in changed.document
    assert changed["is_vegetarian"] is True


async def test_invalid_facts_are_refused(store, create_pesto):
    dish = await create_pesto()

    refused = await store.send("PUT", f"/menu/items/{dish['id']}", {"allergens": ["plutonium"], "spiciness": 9})

    assert refused.status == 422
    assert {"allergens.0", "spiciness"} <= refused.errors.keys()


async def test_shops_have_no_facts(client, owner, store):
    shop = type(store)(client, owner, await owner.store("retail"))

    assert "allergens" not in await shop.item("Lamp", allergens=["milk"])


async def test_files_hold_the_facts(store, create_pesto, client):
    await create_pesto()
    await store.item("Bread")
    before = await store.public_menu()
    for kind in ("json", "csv"):
        response = await client.get(
            f"/api/v1/restaurants/{store.id}/menu/export?format={kind}", headers=store.owner.auth
        )
        exported = await response.get_data()
        assert response.status_code == 200, exported

        found = await import_file(client, store, kind, exported)

        assert found["changes"] == [], found
    assert await store.public_menu() == before


async def import_file(client, store, kind, content):
    types = {"json": "application/json", "csv": "text/csv"}
    response = await client.post(
        f"/api/v1/restaurants/{store.id}/menu/import",
        headers={**store.owner.auth, "Content-Type": types[kind]}, data=content,
    )  # fmt: skip
    found = await response.get_json()
    assert response.status_code in (200, 201), found
    return found


async def test_pages_show_and_filter_by_the_facts(store, create_pesto, client):
    dish = await create_pesto(is_kosher=True)
    slug = await get_slug(store)

    page = await (await client.get(f"/s/{slug}")).get_data(as_text=True)
    details = await (await client.get(f"/s/{slug}/items/{dish['id']}/details")).get_json()
    text = await (await client.get(f"/s/{slug}.md")).get_data(as_text=True)

    assert '<span class="badge">Contains: Milk, Cashews</span>' in page
    assert 'value="without_fish"> Without fish' in page
    assert "Without peanuts" not in page
    assert '"https://schema.org/VegetarianDiet"' in page
    assert details["facts"][:2] == ["Vegetarian", "Kosher"]
    assert "With prawns: Contains: Crustaceans" in details["facts"]
    assert "May contain: Peanuts" in text


async def test_imports_clear_facts(store, create_pesto):
    await create_pesto()
    (category,) = await store.public_menu()
    item = {"name": "Pesto", "allergens": [], "may_contain": ["peanuts"], "spiciness": 0}
    document = {"menu": [{"name": category["name"], "items": [item]}]}

    first = await store.send("POST", "/menu/import", document)
    again = await store.send("POST", "/menu/import", document)

    assert (len(first["changes"]), again["changes"]) == (1, [])
    pesto = list_items(await store.public_menu())["Pesto"]
    assert "allergens" not in pesto
    assert pesto["may_contain"] == ["peanuts"]
