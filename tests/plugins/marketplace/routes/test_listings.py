"""The marketplace as owners see it."""

from comanda_marketplace.services.listings import review


async def test_only_approved_apps_are_listed(developer, customer):
    listed = await developer.publish(name="Zebra Stamps", tagline="Cards for regulars")
    hidden = await developer.register(name="Zebra Secret")

    found = await customer.send("GET", "/apps?search=zebra")

    assert [app["id"] for app in found["data"]] == [listed["id"]]
    [app] = found["data"]
    assert "client_secret" not in app
    assert app["developer"] == "Test Owner"
    assert app["requested_scopes"][0] == {"scope": "orders:read", "label": "Read orders and their status"}
    assert app["installation_id"] is None
    assert (await customer.send("GET", f"/apps/{hidden['id']}")).status == 404
    assert (await developer.send("GET", f"/apps/{hidden['id']}")).status == 200


async def test_search_and_category_filter(developer, customer):
    await developer.publish(name="Quokka Books", category="accounting", tagline="100% exact")
    await developer.publish(name="Quokka Stamps", category="loyalty")

    async def names(query):
        return [app["name"] for app in (await customer.send("GET", f"/apps?{query}"))["data"]]

    assert await names("search=QUOKKA") == ["Quokka Stamps", "Quokka Books"]
    assert await names("search=quokka&category=accounting") == ["Quokka Books"]
    assert await names("search=0%25+exact") == ["Quokka Books"]
    assert await names("search=quokka_") == []
    assert (await customer.send("GET", "/apps?category=gambling")).status == 422


async def test_delisted_app_leaves_the_list(developer, customer):
    app = await developer.publish(name="Wombat Stamps")

    await review.delist(app["id"])

    assert (await customer.send("GET", "/apps?search=wombat"))["data"] == []
    assert (await customer.send("GET", f"/apps/{app['id']}")).status == 404
