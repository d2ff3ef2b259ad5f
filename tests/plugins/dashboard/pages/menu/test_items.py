"""Items in the dashboard."""

from io import BytesIO

import pytest
from comanda_dashboard.pages.menu.items import matches
from menus import CHOICES
from photographs import picture
from werkzeug.datastructures import FileStorage


def flatten(value, path=""):
    """Return an item as the fields of its form."""
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    else:
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return {path: text}
    return {name: text for key, each in pairs for name, text in flatten(each, f"{path}.{key}".strip(".")).items()}


async def test_form_creates_an_item_with_choices_and_dietary_fields(dashboard, store):
    category = await store.category("Food")
    page = await dashboard.get(f"/stores/{store.id}/menu/items/new?category={category}")

    fields = {
        "name": "Soup", "price": "5.50", "category_id": str(category), "description": "Hot", "tax_rate": "",
        "is_active": "true", "is_vegan": "true", "calories": "240", "variations.0.name": "Large",
        "variations.0.price": "7,5", "variations.1.name": "", "variations.1.price": "", "extra_groups.0.name": "Top",
        "extra_groups.0.min": "1", "extra_groups.0.max": "", "extra_groups.0.free_count": "0",
        "extra_groups.0.extras.0.name": "Bread", "extra_groups.0.extras.0.price": "1",
        "extra_groups.0.extras.1.name": "", "extra_groups.0.extras.1.price": "", "extra_groups.1.name": "",
    }  # fmt: skip
    to = await dashboard.post(f"/stores/{store.id}/menu/items/new", fields)

    assert "Dietary information" in page
    item = (await store.get(f"/menu/items/{to.rpartition('/')[2]}")).document
    assert (item["name"], item["price"], item["is_vegan"], item["calories"]) == ("Soup", 5.5, True, 240)
    assert [(each["name"], each["price"]) for each in item["variations"]] == [("Large", 7.5)]
    (group,) = item["extra_groups"]
    assert (group["name"], group["min"], group["max"]) == ("Top", 1, None)
    assert [(each["name"], each["price"]) for each in group["extras"]] == [("Bread", 1)]


async def test_fields_of_a_folded_capability_are_saved_and_unfolded_when_refused(dashboard, store):
    item = await store.item("Soup", 5)
    path = f"/stores/{store.id}/menu/items/{item['id']}"
    fields = {"name": "Soup", "price": "5", "nutrition_basis": "100g", "energy_kcal": "150", "fat_g": "7.5"}

    page = await dashboard.get(path)
    await dashboard.post(path, fields)
    refused = await dashboard.post(path, {**fields, "energy_kj": "", "saturates_g": "8"}, status=422)

    assert '<details class="card"><summary><strong>Nutrition facts</strong>' in page
    assert '<details class="card" open><summary><strong>Nutrition facts</strong>' in refused
    assert "Must not be more than the fat." in refused
    saved = (await store.get(f"/menu/items/{item['id']}")).document
    assert (saved["energy_kj"], saved["energy_kcal"], saved["fat_g"]) == (628, 150, 7.5)
    assert "saturates_g" not in saved


async def test_wrong_item_is_shown_again_with_its_values(dashboard, store):
    category = await store.category("Food")
    fields = {"name": "", "price": "abc", "category_id": str(category), "description": "Keep me"}

    page = await dashboard.post(f"/stores/{store.id}/menu/items/new", fields, status=422)

    assert "Keep me" in page
    assert "abc" in page
    assert page.count('aria-invalid="true"') == 2
    assert await store.public_items() == []


async def test_saving_an_unchanged_item_changes_nothing(dashboard, store):
    item = await store.item("Soup", 5, calories=90, **CHOICES)

    await dashboard.post(f"/stores/{store.id}/menu/items/{item['id']}", flatten(item))

    assert (await store.get(f"/menu/items/{item['id']}")).document == item


async def test_stock_that_orders_reduced_is_not_restored_by_saving(dashboard, store, owner, client):
    shop = type(store)(client, owner, await owner.store("retail"))
    item = await shop.item("Book", 5, stock=5)
    path = f"/stores/{shop.id}/menu/items/{item['id']}"
    fields = {**flatten(item), "_stock": "5"}
    await shop.send("PUT", f"/menu/items/{item['id']}", {"stock": 3})

    await dashboard.post(path, {**fields, "name": "Novel"})
    kept = (await shop.get(f"/menu/items/{item['id']}")).document
    await dashboard.post(path, {**fields, "stock": "9"})

    assert (kept["name"], kept["stock"]) == ("Novel", 3)
    assert (await shop.get(f"/menu/items/{item['id']}"))["stock"] == 9
    assert matches([{"id": 1}], [{"id": 1, "price": 2}])
    assert not matches([{"id": 1}], [])


async def test_rows_that_are_left_out_are_deleted(dashboard, store):
    item = await store.item("Soup", 5, **CHOICES)
    fields = {name: text for name, text in flatten(item).items() if not name.startswith(("variations.1", "extra_gr"))}

    await dashboard.post(f"/stores/{store.id}/menu/items/{item['id']}", fields)

    saved = (await store.get(f"/menu/items/{item['id']}")).document
    assert [each["name"] for each in saved["variations"]] == ["Small"]
    assert saved["extra_groups"] == []


async def test_extras_are_copied_from_another_item(dashboard, store):
    source = await store.item("Pizza", 9, **CHOICES)
    item = await store.item("Pasta", 8)
    path = f"/stores/{store.id}/menu/items/{item['id']}"

    await dashboard.post(f"{path}/extras", {"source": f"Pizza #{source['id']}"})

    (group,) = (await store.get(f"/menu/items/{item['id']}"))["extra_groups"]
    assert group["name"] == "Cheese"
    assert group["id"] != source["extra_groups"][0]["id"]
    assert f"Pizza #{source['id']}" in await dashboard.get(f"/stores/{store.id}/menu/item-names?search=piz")
    assert "Pizza (copy)" in await dashboard.get(f"/stores/{store.id}/menu/items/new?copy={source['id']}")


@pytest.mark.parametrize(
    ("store_type", "fields", "expected"),
    [
        ("carparts", {"fitments.0.make": "Fiat", "fitments.0.model": "Panda", "fitments.0.year_from": "2012",
                      "fitments.0.year_to": "", "fitments.1.make": "", "brand": "Bosch"},
         {"brand": "Bosch", "fitments": [{"make": "Fiat", "model": "Panda", "year_from": 2012}]}),
        ("pharmacy", {"age_min": "18", "expires_on": "2030-01-31", "stock": "4"},
         {"age_min": 18, "expires_on": "2030-01-31", "stock": 4}),
    ],
)  # fmt: skip
async def test_fields_of_capabilities_appear_by_themselves(
    dashboard, store, owner, client, store_type, fields, expected
):
    shop = type(store)(client, owner, await owner.store(store_type))
    category = await shop.category("Goods")
    page = await dashboard.get(f"/stores/{shop.id}/menu/items/new")

    body = {"name": "Thing", "price": "5", "category_id": str(category), **fields}
    to = await dashboard.post(f"/stores/{shop.id}/menu/items/new", body)

    item = (await shop.get(f"/menu/items/{to.rpartition('/')[2]}")).document
    shown = {name: item[name] for name in expected}
    if "fitments" in shown:
        shown["fitments"] = [{name: each[name] for name in ("make", "model", "year_from")} for each in item["fitments"]]
    assert shown == expected
    assert all(f'name="{name}"' in page for name in expected if name != "fitments")
    again = await dashboard.get(f"/stores/{shop.id}/menu/items/{item['id']}")
    assert all(f'value="{text}"' in again for text in fields.values() if text)


async def test_photos_are_added_described_sorted_and_removed(dashboard, store):
    item = await store.item("Soup", gallery=[{"url": "https://a.example/x.png", "alt": "Old"}])
    path = f"/stores/{store.id}/menu/items/{item['id']}"

    response = await dashboard.client.post(
        f"/dashboard{path}/photos", form={"csrf_token": dashboard.csrf_token},
        files={"photo": FileStorage(BytesIO(picture()), "soup.png")},
    )  # fmt: skip
    added = (await store.get(f"/menu/items/{item['id']}"))["gallery"]
    keys = ["https://a.example/x.png", str(added[1]["id"])]
    await dashboard.post(f"{path}/gallery", {"picture": keys, "alt": ["Bowl", "Spoon"], "move": f"up:{keys[1]}"})
    sorted_ = (await store.get(f"/menu/items/{item['id']}"))["gallery"]
    await dashboard.post(f"{path}/gallery", {"picture": keys, "alt": ["Bowl", "Spoon"], "remove": keys[0]})

    assert response.status_code == 303
    assert [each["alt"] for each in sorted_] == ["Spoon", "Bowl"]
    assert [each["alt"] for each in (await store.get(f"/menu/items/{item['id']}"))["gallery"]] == ["Spoon"]


async def test_foreign_item_is_not_found(dashboard, store, other_owner, client):
    foreign = await type(store)(client, other_owner, await other_owner.store()).item("Secret")

    page = await dashboard.get(f"/stores/{store.id}/menu/items/{foreign['id']}", status=404)

    assert "Secret" not in page


async def test_extras_become_items_of_the_menu_by_name(dashboard, store):
    fries = await store.item("Fries", 4, variations=[{"name": "Large", "price": 5}])
    large = fries["variations"][0]["id"]
    fields = {
        "name": "Burger menu", "price": "12", "category_id": str(fries["category_id"]), "is_active": "true",
        "extra_groups.0.name": "Side", "extra_groups.0.min": "1", "extra_groups.0.item_discount": "",
        "extra_groups.0.extras.0.name": "", "extra_groups.0.extras.0.item_id": f"Fries #{fries['id']}",
        "extra_groups.0.extras.1.name": "Large fries", "extra_groups.0.extras.1.price": "1",
        "extra_groups.0.extras.1.item_id": f"Fries, Large #{fries['id']}/{large}",
    }  # fmt: skip

    names = await dashboard.get(f"/stores/{store.id}/menu/item-names?search=fri&variations=1")
    to = await dashboard.post(f"/stores/{store.id}/menu/items/new", fields)
    path = f"/menu/items/{to.rpartition('/')[2]}"
    wrong = {**fields, "extra_groups.0.extras.1.item_id": "Fries #99999999"}
    page = await dashboard.post(f"/stores/{store.id}/menu/items/new", wrong, status=422)

    assert f'value="Fries, Large #{fries["id"]}/{large}"' in names
    (group,) = (await store.get(path))["extra_groups"]
    assert [(each["name"], each["price"], each["item_id"], each["variation"]) for each in group["extras"]] == [
        ("Fries", 0, fries["id"], None),
        ("Large fries", 1, fries["id"], large),
    ]
    assert f'value="Large fries #{fries["id"]}/{large}"' in await dashboard.get(f"/stores/{store.id}{path}")
    assert "This store has no item 99999999." in page
