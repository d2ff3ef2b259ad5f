"""Nutrition facts in menus, files and pages."""

from comanda.platform.db import sql

SELECT_SLUG = "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2"


async def get_text(store, path):
    response = await store.client.get(path, headers=store.owner.auth)
    assert response.status_code == 200, path
    return await response.get_data(as_text=True)


async def test_menus_have_nothing_of_items_without(store, create_lasagne):
    await create_lasagne()
    await store.item("Bread")

    lasagne, bread = [item for category in await store.public_menu() for item in category["items"]]
    assert (lasagne["energy_kj"], lasagne["energy_kcal"], lasagne["sugars_g"]) == (628, 150, 0)
    new = {name for name in lasagne if name.endswith(("_g", "_ml", "_kj", "_kcal", "_basis"))}
    assert len(new) == 11
    assert lasagne.keys() - new == bread.keys()


async def test_implausible_facts_are_refused_by_field(store, create_lasagne):
    dish = await create_lasagne()

    refused = await store.send("PUT", f"/menu/items/{dish['id']}", {"fat_g": 2, "sugars_g": 13})
    kept = (await store.public_menu())[0]["items"][0]

    assert refused.status == 422
    assert refused.errors.keys() == {"saturates_g", "sugars_g"}
    assert kept["fat_g"] == 7.5


async def test_facts_are_cleared_one_by_one(store, create_lasagne):
    dish = await create_lasagne()

    changed = await store.send(
        "PUT", f"/menu/items/{dish['id']}", {"energy_kj": None, "energy_kcal": 100, "salt_g": None}
    )

    assert (changed["energy_kj"], changed["energy_kcal"]) == (418, 100)
    assert "salt_g" not in changed.document


async def test_files_hold_the_facts(store, create_lasagne, client):
    await create_lasagne()
    await store.item("Bread")
    before = await store.public_menu()
    for kind, content_type in (("json", "application/json"), ("csv", "text/csv")):
        exported = await get_text(store, f"/api/v1/restaurants/{store.id}/menu/export?format={kind}")
        response = await client.post(
            f"/api/v1/restaurants/{store.id}/menu/import",
            headers={**store.owner.auth, "Content-Type": content_type}, data=exported.encode(),
        )  # fmt: skip

        assert "saturates_g" in exported
        assert (await response.get_json())["changes"] == []
    assert await store.public_menu() == before


async def test_pages_show_the_facts(store, create_lasagne, client):
    dish, bread = await create_lasagne(), await store.item("Bread")
    path = f"/s/{await sql.fetch_value(SELECT_SLUG, store.id, store.owner.id)}"

    details = await (await client.get(f"{path}/items/{dish['id']}/details")).get_json()
    plain = await (await client.get(f"{path}/items/{bread['id']}/details")).get_json()

    assert details["facts"] == ["Portion: 350 g"]
    assert details["tables"][0]["title"] == "Nutrition facts"
    assert details["tables"][0]["rows"][:4] == [
        ["Nutrition facts for", "100 g"], ["Energy", "628 kJ / 150 kcal"], ["Fat", "7.5 g"],
        ["of which saturates", "3.25 g"],
    ]  # fmt: skip
    assert "tables" not in plain
    assert "Nutrition facts: Nutrition facts for 100 g, Energy 628 kJ / 150 kcal, Fat 7.5 g" in await get_text(
        store, f"{path}.md"
    )
    assert '"NutritionInformation"' in await get_text(store, f"{path}/items/{dish['id']}")
    assert "NutritionInformation" not in await get_text(store, path)
    assert "NutritionInformation" not in await get_text(store, f"{path}/items/{bread['id']}")
