"""Staff amend orders; what they may not do alone is approved by PIN."""

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql

MANAGER_PIN = "739164"


@pytest.fixture
async def manager(create_member):
    return await create_member("manager", pin=MANAGER_PIN)


@pytest.fixture
async def served(waiter, manager, store):
    """A waiter who is logged in, and the path of an order of two soups."""
    await waiter.log_in()
    order = await store.order(line(await store.item("Soup", 5), 2), type="on-table", table_number="4")
    return waiter, order


async def amend(member, order, path, body, **headers):
    return await member.send("POST", f"/orders/{order['id']}/{path}", body, **headers)


async def test_waiter_adds_moves_splits_and_merges(served, store):
    waiter, order = served
    wine = await store.item("Wine", 7)

    added = await amend(waiter, order, "lines", {"items": [line(wine)]})
    moved = await amend(waiter, order, "move", {"table_number": "5"})
    split = await amend(waiter, order, "split", {"lines": [{"line_id": added["items"][1]["id"]}]})
    merged = await amend(waiter, order, "merge", {"order_id": split["id"]})

    assert [reply.status for reply in (added, moved, split, merged)] == [201, 200, 201, 200]
    assert (merged["total"], merged["table_number"]) == (17, "5")
    listed = await waiter.send("GET", f"/orders/{order['id']}/amendments")
    assert [(each["kind"], each["actor"]) for each in listed["data"]] == [
        (kind, f"staff:{waiter.id}") for kind in ("merge", "split", "move", "add")
    ]


async def test_waiter_voids_what_the_kitchen_has_not_begun(served):
    waiter, order = served

    voided = await amend(waiter, order, f"lines/{order['items'][0]['id']}/void", {"quantity": 1, "reason": "Error"})

    assert (voided.status, voided["total"]) == (201, 5)


async def test_void_of_what_is_made_needs_an_approval(served, store, manager):
    waiter, order = served
    await store.set_status(order["id"], "preparing")
    path, body = f"lines/{order['items'][0]['id']}/void", {"quantity": 1, "reason": "Cold"}

    refused = await amend(waiter, order, path, body)
    approved = await amend(waiter, order, path, {**body, "approval_pin": MANAGER_PIN})

    assert (refused.status, refused["reason"]) == (403, "approval_required")
    assert (approved.status, approved["total"]) == (201, 5)
    (entry, *_) = (await waiter.send("GET", f"/orders/{order['id']}/amendments"))["data"]
    assert (entry["actor"], entry["approved_by"]) == (f"staff:{waiter.id}", f"staff:{manager.id}")


@pytest.mark.parametrize(("pin", "reason"), [(None, "approval_required"), ("604831", "approval_refused")])
async def test_discount_without_an_approval_is_refused(served, pin, reason):
    waiter, order = served

    refused = await amend(waiter, order, "discounts", {"percent": 10, "reason": "Friend", "approval_pin": pin})

    assert (refused.status, refused["reason"]) == (403, reason)
    assert (await waiter.send("GET", f"/orders/{order['id']}")).document["amendments"] == 0


async def test_cashier_gives_a_discount_alone(served, create_member):
    _, order = served
    cashier = await create_member("cashier")
    await cashier.log_in()

    given = await amend(cashier, order, "discounts", {"percent": 50, "reason": "Staff meal"})

    assert (given.status, given["total"]) == (201, 5)


async def test_pin_of_a_waiter_approves_nothing(served, create_member):
    waiter, order = served
    await create_member("waiter", pin="518273")

    refused = await amend(waiter, order, "discounts", {"percent": 10, "reason": "Friend", "approval_pin": "518273"})

    assert (refused.status, refused["reason"]) == (403, "approval_refused")


async def test_wrong_pins_are_counted_also_with_idempotency_keys(served):
    waiter, order = served
    body = {"percent": 10, "reason": "Friend", "approval_pin": "604831"}

    replies = [
        await amend(waiter, order, "discounts", body, **{"Idempotency-Key": f"try-{number}"}) for number in range(7)
    ]

    assert [reply.status for reply in replies] == [403] * 5 + [429] * 2


async def test_repeated_discount_is_given_once(served):
    waiter, order = served
    body = {"percent": 10, "reason": "Late", "approval_pin": MANAGER_PIN}

    first = await amend(waiter, order, "discounts", body, **{"Idempotency-Key": "once"})
    again = await amend(waiter, order, "discounts", body, **{"Idempotency-Key": "once"})

    assert (first.status, again.status, first.document) == (201, 201, again.document)
    assert len(again["discounts"]) == 1


async def test_order_is_handed_to_a_colleague(served, create_member):
    waiter, order = served
    colleague = await create_member("waiter")

    taken = await amend(waiter, order, "transfer", {"staff_id": colleague.id}, **{"Idempotency-Key": "handed"})
    again = await amend(waiter, order, "transfer", {"staff_id": colleague.id}, **{"Idempotency-Key": "handed"})
    unknown = await amend(waiter, order, "transfer", {"staff_id": 999_999})

    assert (taken.status, taken["served_by"]) == (200, f"staff:{colleague.id}")
    assert (again.document, again["amendments"]) == (taken.document, 1)
    assert (unknown.status, list(unknown["errors"])) == (422, ["staff_id"])


async def test_servers_are_the_active_staff(served, create_member):
    waiter, _ = served
    colleague, former = await create_member("waiter"), await create_member("waiter")
    await sql.execute("UPDATE staff_member SET is_active = false WHERE id = $1", former.id)

    listed = (await waiter.send("GET", "/servers")).document

    ids = [each["id"] for each in listed]
    assert {waiter.id, colleague.id} <= set(ids)
    assert former.id not in ids
    assert all(each["name"] for each in listed)


async def test_order_of_another_store_is_not_found(served, other_owner, client):
    waiter, _ = served
    foreign = TestStore(client, other_owner, await other_owner.store())
    order = await foreign.order(line(await foreign.item("Soup", 5)))

    reply = await amend(waiter, order, f"lines/{order['items'][0]['id']}/void", {"reason": "x"})

    assert reply.status == 404
    assert await sql.fetch_value("SELECT amendments FROM core_order WHERE id = $1", order["id"]) == 0


async def test_refund_in_an_amendment_needs_an_approval(served, manager):
    waiter, order = served
    await waiter.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": 7})
    path = f"lines/{order['items'][0]['id']}/void"
    body = {"quantity": 1, "reason": "Cold", "refund": {}}

    refused = await amend(waiter, order, path, body)
    approved = await amend(waiter, order, path, {**body, "approval_pin": MANAGER_PIN})

    assert (refused.status, refused["reason"]) == (403, "approval_required")
    assert (approved.status, approved["is_paid"], approved["refunded_total"]) == (201, True, 2)


@pytest.mark.parametrize("path", ["move", "merge", "split"])
async def test_moved_merged_and_split_orders_are_approved_alike(served, store, path):
    waiter, order = served
    other = await store.order(line(await store.item("Wine", 7)), type="on-table", table_number="9")
    bodies = {
        "move": {"table_number": "5"},
        "merge": {"order_id": other["id"]},
        "split": {"lines": [{"line_id": order["items"][0]["id"], "quantity": 1}]},
    }

    wrong = await amend(waiter, order, path, {**bodies[path], "approval_pin": "604831"})
    done = await amend(waiter, order, path, {**bodies[path], "approval_pin": MANAGER_PIN})

    assert (wrong.status, wrong["reason"], done.status) == (403, "approval_refused", 201 if path == "split" else 200)


async def test_round_that_a_colleague_sends_again_counts_once(served, manager):
    waiter, order = served
    await manager.log_in()
    body = {"items": [{"item_id": order["items"][0]["item_id"]}]}

    first = await amend(waiter, order, "lines", body, **{"Idempotency-Key": "kept-by-the-till"})
    again = await amend(manager, order, "lines", body, **{"Idempotency-Key": "kept-by-the-till"})

    assert (first.status, first["total"]) == (201, 15)
    assert (again.status, again["total"]) == (201, 15)
    assert [each["kind"] for each in (await waiter.send("GET", f"/orders/{order['id']}/amendments"))["data"]] == ["add"]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        (None, "Only 2 of Soup can still be taken off."),
        ("de", "Von Soup können nur noch 2 abgezogen werden."),
        ("en-GB, de;q=0.5", "Only 2 of Soup can still be taken off."),
    ],
)
async def test_staff_are_refused_in_the_language_of_their_browser(served, language, message):
    waiter, order = served
    asked = {} if language is None else {"Accept-Language": language}

    refused = await amend(
        waiter, order, f"lines/{order['items'][0]['id']}/void", {"quantity": 3, "reason": "Error"}, **asked
    )

    assert (refused.status, refused["message"]) == (422, message)
