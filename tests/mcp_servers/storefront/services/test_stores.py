"""The store of a token."""


async def test_unpublished_store_is_not_found(guest, store):
    item = await store.item()
    await store.send("PUT", "/settings", {"is_published": False})

    for tool, arguments in (
        ("get_store", {}), ("get_menu", {}), ("search_menu", {}), ("check_availability", {}),
        ("get_item", {"item_id": item["id"]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, arguments))["code"] == "not_found"
