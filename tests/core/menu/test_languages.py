"""Menus in other languages: what is made again when a menu changes, and what is used again."""

from comanda.menu import languages, public_view

TEXTS = {"Soup": "Suppe", "Bread": "Brot"}


async def read(store, language="de"):
    """Return the menu itself, and the menu in a language."""
    menu = await public_view.get_public_menu(store.id)
    return menu, await languages.get_in_language(menu, language)


async def translate(store, *sources):
    texts = [{"source": source, "translation": TEXTS[source]} for source in sources]
    reply = await store.send("PUT", "/menu/languages/de", {"texts": texts})
    assert reply.status == 200, reply


async def test_menu_without_texts_is_the_menu_itself(store):
    await store.item("Soup")

    menu, translated = await read(store)

    assert translated is menu


async def test_menu_in_a_language_is_made_once(store):
    soup, _ = await store.item("Soup"), await store.item("Bread")
    await translate(store, "Soup", "Bread")

    _, first = await read(store)
    menu, second = await read(store)

    assert second is first
    assert (menu.items[soup["id"]].name, second.items[soup["id"]].name) == ("Soup", "Suppe")
    assert second.etag != menu.etag


async def test_items_that_did_not_change_are_used_again(open_store):
    store = await open_store("retail")
    soup, bread = await store.item("Soup", stock=5), await store.item("Bread", stock=5)
    await translate(store, "Soup", "Bread")
    _, before = await read(store)

    await store.order({"item_id": soup["id"]}, type="in_store")

    _, after = await read(store)
    assert after.items[bread["id"]] is before.items[bread["id"]]
    assert (before.items[soup["id"]].stock, after.items[soup["id"]].stock) == (5, 4)
    assert after.items[soup["id"]].name == "Suppe"


async def test_texts_are_read_once_for_each_version_of_a_menu(store):
    await store.item("Soup")
    await translate(store, "Soup")
    menu, _ = await read(store)
    scope = (store.owner.id, store.id, menu.version)

    first = await languages.get_texts(*scope, "de")

    assert await languages.get_texts(*scope, "de") is first
    assert dict(first) == {"Soup": "Suppe"}
    assert dict(await languages.get_texts(*scope, "fr")) == {}
