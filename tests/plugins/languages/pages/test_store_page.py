"""A store's own pages in the guest's language."""


async def test_pages_show_the_menu_in_the_guests_language(bistro, client):
    await bistro.translate({"Tomato soup": "Tomatensuppe", "Cream": "Sahne"})
    slug = (await bistro.get())["slug"]

    async def read(path, language):
        response = await client.get(path, headers={"Accept-Language": language})
        assert response.status_code == 200
        return (await response.get_data()).decode()

    for path in (f"/s/{slug}/menu", f"/s/{slug}.md", f"/s/{slug}/search?q=Tomatensuppe"):
        assert "Tomatensuppe" in await read(path, "de")
    assert "Tomatensuppe" not in await read(f"/s/{slug}/menu", "en")
    details = f"/s/{slug}/items/{bistro.soup['id']}/details"
    assert "Sahne" in await read(details, "de")
    assert "Sahne" not in await read(details, "en")
