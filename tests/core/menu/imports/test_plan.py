"""Changes that an import plans."""

from menus import import_menu, read_menu, to_counts


async def test_omitted_fields_are_unchanged(store):
    await import_menu(store)
    before = await read_menu(store)

    done = await import_menu(store, [{"name": "PIZZA", "items": [{"name": "marinara", "price": 8.5}]}])

    assert to_counts(done) == (0, 1, 0, 0)
    after = await read_menu(store)
    assert after[1] == before[1]
    assert after[0]["items"][0] == before[0]["items"][0]
    assert after[0]["items"][1] == {**before[0]["items"][1], "name": "marinara", "price": 8.5}


async def test_items_are_removed_only_on_request(store):
    await import_menu(store)
    menu = [
        {
            "name": "Pizza",
            "items": [
                {
                    "name": "Margherita", "variations": [{"name": "Small", "price": 7}],
                    "extra_groups": [{"name": "On top", "max": 3, "extras": [{"name": "Ham", "price": 2}]}],
                }
            ],
        }
    ]  # fmt: skip

    kept = await import_menu(store, menu)
    removed = await import_menu(store, menu, remove_missing=True)

    assert (to_counts(kept), to_counts(kept, "categories")) == ((0, 0, 1, 0), (0, 0, 1, 0))
    assert (to_counts(removed), to_counts(removed, "categories")) == ((0, 1, 0, 2), (0, 0, 1, 1))
    (pizza,) = await read_menu(store)
    (item,) = pizza["items"]
    assert [each["name"] for each in item["variations"]] == ["Small"]
    assert [extra["name"] for extra in item["extra_groups"][0]["extras"]] == ["Ham"]
