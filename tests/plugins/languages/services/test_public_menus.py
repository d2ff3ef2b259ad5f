"""The public menu in a language, which clients keep like the menu itself."""


async def test_clients_keep_the_menu_until_a_text_changes(bistro, client):
    path = f"/api/v1/menu/{bistro.id}/languages/de"
    await bistro.translate({"Soups": "Suppen"})
    tag = (await client.get(path)).headers["ETag"]

    kept = await client.get(path, headers={"If-None-Match": tag})
    await bistro.translate({"Soups": "Unsere Suppen"})
    changed = await client.get(path, headers={"If-None-Match": tag})

    assert (kept.status_code, changed.status_code) == (304, 200)
    assert (await changed.get_json())[0]["name"] == "Unsere Suppen"


async def test_store_without_a_page_has_no_menu_in_any_language(bistro, client):
    await bistro.send("PUT", "/settings", {"is_published": False})

    assert (await client.get(f"/api/v1/menu/{bistro.id}/languages/de")).status_code == 404
