"""Occasions of owners."""

from comanda.devkit.testing import TestStore
from comanda.stores import Store


async def test_occasion_is_created_updated_and_deleted(shop):
    made = await shop.occasion(note="White")
    path = f"/florist/occasions/{made['id']}"
    assert (made["next_on"], made["remind_at"]) == ("2030-03-14", "2030-03-07T09:00:00+00:00")

    changed = await shop.send("PATCH", path, {"month": 7, "remind_days_before": 0, "note": ""})

    assert (changed["next_on"], changed["remind_at"]) == ("2030-07-14", "2030-07-14T08:00:00+00:00")
    assert (changed["what"], changed["note"]) == ("Birthday", None)
    assert (await shop.get(path)).document == changed.document
    assert (await shop.send("DELETE", path)).status == 204
    assert await shop.occasions() == []


async def test_occasions_of_another_owner_are_not_found(shop, foreign_shop):
    theirs = await foreign_shop.occasion()
    path = f"/florist/occasions/{theirs['id']}"
    # With one's own token: in the other's store, and as if it were in one's own.
    tried = TestStore(shop.client, shop.owner, foreign_shop.id)
    for store in (tried, shop):
        for method, body in (("GET", None), ("PATCH", {"what": "Stolen"}), ("DELETE", None)):
            reply = await store.send(method, path, body)
            assert (reply.status, reply["code"]) == (404, "not_found")
    for listing in ("/florist/occasions", "/florist/settings", "/florist/days"):
        assert (await tried.send("GET", listing)).status == 404

    assert await shop.occasions() == []
    assert await foreign_shop.occasions() == [theirs]


async def test_store_of_other_type_has_no_occasions(owner, shop):
    # There may be no other vertical here, so a shop is made into something that nobody brings.
    await Store.filter(id=shop.id, owner_id=owner.id).update(store_type="ironmonger")

    refused = await shop.send("GET", "/florist/occasions")

    assert (refused.status, refused["reason"]) == (409, "not_a_florist")
