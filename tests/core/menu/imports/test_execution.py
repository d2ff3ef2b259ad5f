"""What the statements of an import write, and what they leave."""

from comanda.platform.db import sql
from menus import import_menu, read_menu, to_counts

SOLD_OUT = "UPDATE core_menu_item SET is_sold_out = true, sold_out_until = now() + interval '1 day' WHERE name = $1"


async def test_columns_that_a_file_does_not_change_keep_their_values(store):
    await import_menu(store)
    await sql.execute(SOLD_OUT, "Margherita")
    (before, other), _ = [category["items"] for category in await read_menu(store)]

    done = await import_menu(store, [{"name": "Pizza", "items": [{"name": "Margherita", "price": 10}]}])

    assert to_counts(done) == (0, 1, 0, 0)
    (after, same), _ = [category["items"] for category in await read_menu(store)]
    assert after == {**before, "price": 10}
    assert same == other


async def test_extras_are_changed_added_and_removed_under_their_ids(store):
    await import_menu(store)
    (before,) = (await read_menu(store))[0]["items"][0]["extra_groups"]
    ham, olives = before["extras"]
    extras = [{"name": "Capers", "price": 3}, {"name": "ham", "price": 4}]
    groups = [{"name": "Base", "extras": []}, {"name": "On top", "max": 2, "extras": extras}]

    await import_menu(
        store,
        [{"name": "Pizza", "items": [{"name": "Margherita", "extra_groups": groups}, {"name": "Marinara"}]}],
        remove_missing=True,
    )

    base, on_top = (await read_menu(store))[0]["items"][0]["extra_groups"]
    assert (base["name"], on_top["id"], on_top["max"]) == ("Base", before["id"], 2)
    assert [(each["name"], each["price"]) for each in on_top["extras"]] == [("Capers", 3), ("ham", 4)]
    assert on_top["extras"][1]["id"] == ham["id"]
    assert olives["id"] not in {each["id"] for each in on_top["extras"]}


async def test_a_rejected_write_leaves_the_menu_as_it_was(store, published):
    await import_menu(store)
    before, told = await read_menu(store), await published()
    twice = {"name": "Twice", "price": 1, "variations": [{"name": "A", "price": 1, "sku": "M-L"}]}
    menu = [{"name": "Pizza", "items": [{"name": "New", "price": 1}, {"name": "Margherita"}, twice]}]

    refused = await import_menu(store, [*menu, {"name": "Other", "items": [{**twice, "price": 2}]}])

    assert refused.status == 422
    assert (await read_menu(store), await published()) == (before, told)
