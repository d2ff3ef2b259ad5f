"""A store and its menu in Markdown."""

from comanda.platform.db import sql

SELECT_SLUG = "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2"
HIDE = "UPDATE core_store SET is_published = false WHERE id = $1 AND owner_id = $2"


async def get_path(store):
    return f"/s/{await sql.fetch_value(SELECT_SLUG, store.id, store.owner.id)}.md"


async def get_text(store, client, **headers):
    response = await client.get(await get_path(store), headers=headers)
    assert (response.status_code, response.mimetype) == (200, "text/markdown")
    return await response.get_data(as_text=True)


async def test_the_menu_is_read_with_its_prices_and_choices(store, client):
    pizza = {
        "name": "Pizza",
        "price": 9.5,
        "category_id": await store.category("Hot"),
        "description": "From\nthe oven",
        "variations": [{"name": "Small", "price": 9.5}, {"name": "Large", "price": 12}],
        "extra_groups": [{"name": "Toppings", "max": 2, "extras": [{"name": "Ham", "price": 1}]}],
        "is_vegan": True,
    }
    assert (await store.send("POST", "/menu/items", pizza)).status == 201

    text = await get_text(store, client)

    assert text.startswith("# ")
    assert f"- <http://comanda.test{(await get_path(store)).removesuffix('.md')}>\n" in text
    assert (
        "## Hot\n\n"
        "- **Pizza**, €9.50, Vegan\n"
        "  From the oven\n"
        "  - Small: €9.50\n"
        "  - Large: €12.00\n"
        "  - Toppings (choose up to 2): Ham +€1.00\n"
    ) in text


async def test_names_cannot_pass_for_markup(store, client, owner):
    shop = type(store)(client, owner, await owner.store("retail"))
    await shop.item("# [Free](http://evil.example) <b>*now*</b>", brand="[Brand](http://evil.example)")

    text = await get_text(shop, client)

    assert r"- **\# \[Free\](http://evil.example) \<b\>\*now\*\</b\>**" in text
    assert r"\[Brand\](http://evil.example)" in text


async def test_what_has_not_changed_is_not_rendered_again(store, client, monkeypatch):
    await store.item("Soup", 5)
    first = await client.get(await get_path(store))
    monkeypatch.delattr("comanda_storefront.pages.store.store_text.render_store")

    assert await (await client.get(await get_path(store))).get_data() == await first.get_data()
    again = await client.get(await get_path(store), headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


async def test_a_change_is_in_the_next_answer_and_a_store_that_is_hidden_is_404(store, client):
    item = await store.item("Soup", 5)
    assert "€5.00" in await get_text(store, client)
    assert (await store.send("PUT", f"/menu/items/{item['id']}", {"price": 6})).status == 200
    assert "6,00" in await get_text(store, client, **{"Accept-Language": "de"})

    await sql.execute(HIDE, store.id, store.owner.id)
    assert (await client.get(await get_path(store))).status_code == 404
