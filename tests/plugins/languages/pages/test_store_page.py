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


async def test_guests_follow_their_order_in_their_language(bistro, client):
    await bistro.translate({"Tomato soup": "Tomatensuppe", "Large": "Groß", "Cream": "Sahne"})
    (item,) = [item for category in await bistro.public_menu() for item in category["items"]]
    chosen = {"variation": item["variations"][0]["id"], "extras": [item["extra_groups"][0]["extras"][0]["id"]]}
    order = await bistro.order({"item_id": item["id"], "quantity": 1, **chosen})

    response = await client.get(f"/t/{order['track_token']}", headers={"Accept-Language": "de"})

    page = (await response.get_data()).decode()
    assert "<bdi>Tomatensuppe</bdi>" in page
    assert "Groß, Sahne" in page
