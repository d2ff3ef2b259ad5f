"""Validation of guest filters and updates."""


async def test_list_rejects_long_search_and_unknown_segment(store):
    assert list((await store.send("GET", f"/guests?search={'x' * 101}")).errors) == ["search"]
    assert list((await store.send("GET", "/guests?segment=rich")).errors) == ["segment"]


INVALID_UPDATES = [
    ({"tags": [""]}, "tags.0"), ({"tags": ["x" * 51]}, "tags.0"), ({"tags": [str(n) for n in range(21)]}, "tags"),
    ({"tags": "vip"}, "tags"), ({"name": " "}, "name"), ({"name": "x" * 256}, "name"),
    ({"tags": ["a"], "name": 5}, "name"),
]  # fmt: skip


async def test_invalid_update_changes_nothing(store, order, list_guests, subtests):
    await order(customer_name="Ada")
    before = await list_guests()

    for body, field in INVALID_UPDATES:
        with subtests.test(body=body, field=field):
            reply = await store.send("PUT", f"/guests/{before[0]['id']}", body)

            assert list(reply.errors) == [field]
            assert await list_guests() == before
