import pytest
from comanda.basics import clock
from comanda.contracts import StoredEvent
from comanda.platform.db import sql
from comanda_hubrise.event_handlers import wake_menus


@pytest.fixture
async def listed(store):
    """The store, which sends its menu and what is sold out."""
    body = {"catalog_id": "cat1", "sends_menu": True, "sends_sold_out": True}
    assert (await store.send("PUT", "/hubrise", body)).status == 200
    await store.check()
    return store


async def change(store, **fields):
    reply = await store.send("PUT", f"/menu/items/{store.soup['id']}", fields)
    assert reply.status == 200, reply


async def test_menu_is_sent_with_references(listed):
    catalog = listed.location.catalogs[-1]

    assert [category["name"] for category in catalog["categories"]] == ["For Soup"]
    assert catalog["products"] == [
        {
            "ref": listed.soup_ref,
            "category_ref": catalog["categories"][0]["ref"],
            "name": "Soup",
            "description": "",
            "skus": [{"ref": listed.soup_ref, "name": None, "price": "5.00 EUR", "option_list_refs": []}],
        }
    ]
    assert listed.location.inventories == [[]]


async def test_variations_and_extras_are_sent_with_skus_and_ids(listed):
    groups = [{"name": "Sauce", "min": 0, "max": 2, "extras": [{"name": "Hot", "price": 0.5}]}]
    pizza = await listed.item("Pizza", 4, extra_groups=groups)
    await listed.add_variant(pizza, name="Small", price=4, sku="SM")
    large = await listed.add_variant(pizza, name="Large", price=6)
    await listed.send_menu()

    catalog = listed.location.catalogs[-1]

    product = next(each for each in catalog["products"] if each["name"] == "Pizza")
    skus = [(sku["ref"], sku["price"]) for sku in product["skus"]]
    assert skus == [("SM", "4.00 EUR"), (f"variation-{large['id']}", "6.00 EUR")]
    options = [option for group in catalog["option_lists"] for option in group["options"]]
    assert [(option["name"], option["price"]) for option in options] == [("Hot", "0.50 EUR")]


async def test_changes_are_gathered_and_sent_once(listed):
    before = len(listed.location.catalogs)
    moment = clock.now()
    for price in (6, 7, 8):
        await change(listed, price=price)
    events = [StoredEvent(number, listed.owner.id, listed.id, "menu.updated", {}, moment) for number in range(3)]
    await wake_menus(events)
    due_at = await sql.fetch_value("SELECT next_attempt_at FROM hubrise_connection WHERE store_id = $1", listed.id)

    await listed.send_menu()
    await listed.send_menu()

    assert 5 < (due_at - moment).total_seconds() < 11
    assert len(listed.location.catalogs) == before + 1
    assert listed.location.catalogs[-1]["products"][0]["skus"][0]["price"] == "8.00 EUR"


async def test_sold_out_item_is_sent_and_taken_back(listed):
    await change(listed, is_sold_out=True)
    await listed.send_menu()
    await change(listed, is_sold_out=False)
    await listed.send_menu()

    assert listed.location.inventories[-2:] == [[{"sku_ref": listed.soup_ref, "stock": "0"}], []]


async def test_nothing_is_sent_unless_the_owner_wants_it(store):
    await change(store, price=9)
    await store.send_menu()

    assert (store.location.catalogs, store.location.inventories) == ([], [])


async def test_only_skus_are_sent_to_a_catalog_of_somebody_else(store):
    pizza = await store.item("Pizza", 4)
    await store.add_variant(pizza, name="Small", price=4, sku="SM")
    await store.send("PUT", "/hubrise", {"catalog_id": "cat1", "sends_sold_out": True})
    for item in (pizza, store.soup):
        await store.send("PUT", f"/menu/items/{item['id']}", {"is_sold_out": True})

    await store.check()

    assert store.location.catalogs == []
    assert store.location.inventories == [[{"sku_ref": "SM", "stock": "0"}]]


async def test_menu_that_hubrise_refuses_is_shown_and_sent_again(listed):
    await change(listed, price=9)
    listed.fake.failures = [422]
    await listed.send_menu()
    failing = await listed.get("/hubrise")

    await listed.send_menu()

    assert failing["failure"] == "The menu could not be sent. HubRise refused the request: 422."
    assert listed.location.catalogs[-1]["products"][0]["skus"][0]["price"] == "9.00 EUR"
