"""What pharmacists decide about orders."""

import asyncio

import pytest
from comanda.devkit.testing import TestStore, line


async def test_release_says_who_when_and_why(pharmacy, antibiotic, clock):
    plaster = await pharmacy.item("Plaster")
    order = await pharmacy.order(line(antibiotic, 2), line(plaster), type="in_store", customer_name="Rui")
    (waiting,) = (await pharmacy.get("/releases"))["data"]

    released = (await pharmacy.decide(order, note="Prescription 7 seen")).document

    assert [(each["name"], each["quantity"], each["is_prescription_only"]) for each in waiting["items"]] == [
        ("Antibiotic", 2, True), ("Plaster", 1, False),
    ]  # fmt: skip
    assert (waiting["number"], waiting["customer_name"], waiting["status"]) == (order["number"], "Rui", "waiting")
    assert (released["status"], released["note"]) == ("released", "Prescription 7 seen")
    assert (released["decided_by"], released["decided_at"] is not None) == (f"owner:{pharmacy.owner.id}", True)
    assert await pharmacy.list_releases() == []
    assert await pharmacy.list_releases("?status=released") == [order["id"]]


async def test_pharmacist_releases_and_others_may_not(pharmacy, antibiotic):
    ada = await pharmacy.add_member(is_pharmacist=True)
    bob, order = await pharmacy.add_member(), await pharmacy.order(line(antibiotic), type="in_store")
    path = f"/orders/{order['id']}/release"

    refused = await bob.send("PUT", path, {"status": "released"})
    listed = await bob.send("GET", "/releases")
    released = await ada.send("PUT", path, {"status": "released"})

    assert (refused.status, refused["reason"]) == (403, "pharmacist_required")
    assert [each["order_id"] for each in listed["data"]] == [order["id"]]
    assert (released.status, released["decided_by"]) == (200, f"staff:{ada.id}")


async def test_refused_order_is_cancelled_with_its_reason(pharmacy):
    item = await pharmacy.item("Antibiotic", is_prescription_only=True, stock=3)
    order = await pharmacy.order(line(item, 2), type="in_store")

    refused = await pharmacy.decide(order, "refused", note="No prescription")

    assert (refused.status, refused["status"], refused["order_status"]) == (200, "refused", "cancelled")
    assert (await pharmacy.get(f"/menu/items/{item['id']}"))["stock"] == 3
    again = await pharmacy.decide(order, "refused", note="Once more")
    assert (again.status, again["note"]) == (200, "No prescription")
    closed = await pharmacy.decide(order)
    assert (closed.status, closed["reason"]) == (409, "closed")


async def test_refused_line_is_taken_off(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), line(await pharmacy.item("Plaster")), type="in_store")

    refused = await pharmacy.decide(order, "refused", note="Interaction", line_id=order["items"][0]["id"])

    assert (refused.status, refused["status"]) == (200, "waiting")
    assert [each["name"] for each in refused["items"]] == ["Plaster"]
    assert (await pharmacy.decide(order)).status == 200
    assert (await pharmacy.set_status(order["id"], "completed")).status == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"status": "refused"}, "note"),
        ({"status": "refused", "note": " "}, "note"),
        ({"status": "waiting"}, "status"),
        ({"status": "released", "line_id": 1}, "line_id"),
        ({"status": "released", "note": "x" * 201}, "note"),
        ({}, "status"),
    ],
)
async def test_invalid_decision_is_refused(pharmacy, antibiotic, body, field):
    order = await pharmacy.order(line(antibiotic), type="in_store")

    reply = await pharmacy.send("PUT", f"/orders/{order['id']}/release", body)

    assert list(reply.errors) == [field]
    assert await pharmacy.list_releases() == [order["id"]]


async def test_order_of_another_owner_is_not_found(pharmacy, antibiotic, client, other_owner):
    order = await pharmacy.order(line(antibiotic), type="in_store")
    stranger = TestStore(client, other_owner, await other_owner.store("pharmacy"))

    for store_id in (stranger.id, pharmacy.id):
        path = f"/api/v1/restaurants/{store_id}/orders/{order['id']}/release"
        assert (await stranger.send_to(path, "PUT", {"status": "released"})).status == 404
    assert await pharmacy.list_releases() == [order["id"]]


async def test_store_without_medicines_has_no_pharmacists(store):
    assert (await store.get("/releases"))["data"] == []
    assert (await store.send("PUT", "/pharmacists", {"staff_ids": []})).status == 404


async def test_pharmacists_are_of_the_store(pharmacy):
    member = await pharmacy.add_member(is_pharmacist=True)

    refused = await pharmacy.send("PUT", "/pharmacists", {"staff_ids": [member.id, 999_999_999]})

    assert list(refused.errors) == ["staff_ids"]
    assert (await pharmacy.get("/pharmacists"))["staff_ids"] == [member.id]
    assert (await pharmacy.send("PUT", "/pharmacists", {"staff_ids": []}))["staff_ids"] == []


async def test_one_of_two_decisions_at_once_holds(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="in_store")

    replies = await asyncio.gather(
        pharmacy.decide(order), pharmacy.decide(order, "refused", note="No"), pharmacy.set_status(order["id"], "ready")
    )

    known = (await pharmacy.get(f"/orders/{order['id']}/release")).document
    is_refused = known["status"] == "refused"
    assert is_refused == (await pharmacy.get_status(order) == "cancelled")
    assert all(reply.status in {200, 409, 422} for reply in replies)
