"""Idempotency keys: header and ``client_uuid``, per store."""

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders import idempotency
from comanda.platform.db import sql

REPLAYED, MISMATCH = "Idempotent-Replayed", "Idempotency-Mismatch"


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


def flags(reply):
    return {name: value for name, value in reply.headers.items() if name.title() in (REPLAYED, MISMATCH)}


def title(headers):
    return {name.title(): value for name, value in headers.items()}


async def total(store):
    return (await store.get("/orders"))["total"]


async def test_repeated_header_replays_the_order(store, soup, published):
    first = await store.place(line(soup), key="key-1")
    before = await published()
    again = await store.place(line(soup), key="key-1")

    assert (first.status, flags(first)) == (201, {})
    assert (again.status, again.document) == (201, first.document)
    assert title(flags(again)) == {REPLAYED: "true"}
    assert await total(store) == 1
    assert await published() == before


async def test_repeated_client_uuid_replays_the_order(store, soup):
    first = await store.place(line(soup), client_uuid="till-7-0001")
    again = await store.place(line(soup), client_uuid="till-7-0001")

    assert first["client_uuid"] == "till-7-0001"
    assert again.document == first.document
    assert title(flags(again)) == {REPLAYED: "true"}
    assert await total(store) == 1


async def test_replay_with_other_body_is_flagged(store, soup):
    first = await store.place(line(soup), key="key-1")
    again = await store.place(line(soup, 7), key="key-1", note="changed")

    assert (again.status, again.document) == (201, first.document)
    assert title(flags(again)) == {REPLAYED: "true", MISMATCH: "true"}


@pytest.mark.parametrize("body", [{}, {"type": "nonsense", "items": "none"}, {"items": [{"item_id": -1}]}])
async def test_replay_comes_before_validation(store, soup, body):
    first = await store.place(line(soup), key="key-1")

    again = await store.send("POST", "/orders", body, Idempotency_Key="key-1")

    assert (again.status, again.document) == (201, first.document)


async def test_replay_with_invalid_json_is_answered(store, soup):
    first = await store.place(line(soup), key="key-1")

    again = await store.client.post(
        f"/api/v1/restaurants/{store.id}/orders",
        data=b'{"type": ',
        headers={**store.owner.auth, "Idempotency-Key": "key-1", "Content-Type": "application/json"},
    )

    assert (again.status_code, (await again.get_json())["id"]) == (201, first["id"])


async def test_replay_returns_the_current_order(store, soup):
    first = await store.place(line(soup), key="key-1")
    changed = await store.set_status(first["id"], "preparing")

    again = await store.place(line(soup), key="key-1")

    assert again.document == changed.document
    assert again["track_token"] == first["track_token"]


async def test_replay_works_after_item_sold_out_or_deleted(store, soup):
    first = await store.place(line(soup), key="key-1")
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out")
    assert (await store.place(line(soup), key="key-1")).document == first.document
    await store.send("DELETE", f"/menu/items/{soup['id']}")
    assert (await store.place(line(soup), key="key-1")).document == first.document
    assert (await store.place(line(soup), key="key-2")).status == 422


async def test_refused_order_does_not_use_its_key(store, soup):
    refused = await store.place(line(soup), key="key-1", type="delivery")
    taken = await store.place(line(soup), key="key-1", type="delivery", address="Rua 1")

    assert (refused.status, taken.status, flags(taken)) == (422, 201, {})


async def test_header_and_client_uuid_both_find_the_order(store, soup):
    first = await store.place(line(soup), key="header", client_uuid="body")

    by_header = await store.place(line(soup), key="header")
    by_body = await store.place(line(soup), client_uuid="body")
    by_other_header = await store.place(line(soup), key="other", client_uuid="body")

    assert {reply["id"] for reply in (by_header, by_body, by_other_header)} == {first["id"]}
    row = await sql.fetch_one("SELECT idempotency_key, client_uuid FROM core_order WHERE id = $1", first["id"])
    assert tuple(row) == ("header", "body")


async def test_header_has_priority_over_client_uuid(store, soup):
    by_body = await store.place(line(soup), client_uuid="body")
    by_header = await store.place(line(soup), key="header")

    both = await store.place(line(soup), key="header", client_uuid="body")

    assert by_body["id"] != by_header["id"]
    assert both["id"] == by_header["id"]


async def test_equal_header_and_client_uuid_are_different_keys(store, soup):
    by_header = await store.place(line(soup), key="same")
    by_body = await store.place(line(soup), client_uuid="same")

    assert by_body["id"] != by_header["id"]


async def test_keys_are_separate_per_store(store, owner, client, other_owner, soup):
    first = await store.place(line(soup), key="key-1", client_uuid="uuid-1")
    for elsewhere in (
        TestStore(client, owner, await owner.store()),
        TestStore(client, other_owner, await other_owner.store()),
    ):
        theirs = await elsewhere.place(line(await elsewhere.item()), key="key-1", client_uuid="uuid-1")
        assert (theirs.status, flags(theirs)) == (201, {})
        assert theirs["id"] != first["id"]


async def test_another_owner_with_the_key_learns_nothing(store, client, other_owner, soup):
    await store.place(line(soup), key="key-1")

    intruder = await TestStore(client, other_owner, store.id).place(line(soup), key="key-1")

    assert (intruder.status, intruder["code"]) == (404, "not_found")


@pytest.mark.parametrize("key", ["x" * 256, "two words", "tab\there"])
async def test_invalid_key_is_refused(store, soup, key):
    refused = await store.place(line(soup), key=key)

    assert refused.errors == {"Idempotency-Key": ["Send 1 to 255 visible ASCII characters."]}
    assert await total(store) == 0


@pytest.mark.parametrize("key", ["", "ключ"])
def test_a_blank_or_foreign_header_is_refused(key):
    with pytest.raises(ValidationFailed):
        idempotency.parse_keys({"idempotency-key": key}, None)


@pytest.mark.parametrize("key", ["x", "x" * 255, "!~", "550e8400-e29b-41d4-a716-446655440000"])
async def test_a_key_of_visible_characters_is_taken(store, soup, key):
    first = await store.place(line(soup), key=key)

    assert (await store.place(line(soup), key=key)).document == first.document
