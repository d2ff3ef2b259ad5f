"""Kitchen status: history, timeline, events and tally."""

from datetime import UTC, datetime
from itertools import permutations

import pytest
from comanda.contracts.orders.status import Status
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql
from sweep import sweep


@pytest.fixture
async def order(store):
    return await store.order(line(await store.item("Soup", 5)))


async def history(order):
    rows = await sql.fetch(
        "SELECT field, from_value, to_value, actor, note FROM core_order_change WHERE order_id = $1 ORDER BY id",
        order["id"],
    )
    return [tuple(row) for row in rows]


async def test_any_status_may_follow_any_other(store, owner, order, published):
    with sweep(at_least=30) as checks:
        for old, new in permutations([status.value for status in Status], 2):
            with checks.check(f"{old} to {new}"):
                await store.set_status(order["id"], old)
                before = len(await published())

                changed = await store.set_status(order["id"], new)

                assert (changed.status, changed["status"]) == (200, new)
                actor = f"owner:{owner.id}"
                assert (await history(order))[-1] == ("status", old, new, actor, None)
                data = {"order_id": order["id"], "restaurant_id": store.id, "from": old, "to": new, "actor": actor}
                assert (await published())[before:] == [("order.status_changed", data)]
                for status in Status:
                    page = await store.get(f"/orders?status={status}")
                    assert (page["total"], len(page["data"])) == ((1, 1) if status == new else (0, 0))


async def test_the_same_status_again_changes_nothing(store, order, published, clock):
    before = await published()
    clock.advance(minutes=5)

    same = await store.set_status(order["id"], "new")

    assert (same.status, same.document) == (200, order)
    assert await history(order) == []
    assert await published() == before


async def test_a_note_on_the_same_status_is_kept_once(store, owner, order, published):
    before = await published()
    notes = [
        await store.set_status(order["id"], "new", note=note)
        for note in ("Guest called", "Guest called", "Door code 7")
    ]

    assert [same.document for same in notes] == [order] * 3
    actor = f"owner:{owner.id}"
    assert await history(order) == [
        ("status", "new", "new", actor, "Guest called"), ("status", "new", "new", actor, "Door code 7"),
    ]  # fmt: skip
    assert await published() == before


async def test_timeline_has_the_last_time_of_each_status(store, order, clock):
    created = order["timeline"]["created_at"]
    times = {}
    for minute, status in enumerate(["preparing", "ready", "preparing", "new", "ready", "delivered", "completed"]):
        moment = datetime(2027, 1, 1, 12, minute, tzinfo=UTC)
        clock.set(moment)
        changed = await store.set_status(order["id"], status)
        if status != "new":
            times[f"{status}_at"] = moment.isoformat()
        assert changed["timeline"] == {"created_at": created, **times}
        assert changed["updated_at"] == moment.isoformat()


async def test_a_note_is_kept_in_the_history(store, order):
    await store.set_status(order["id"], "cancelled", note=" guest left ")

    assert [row[-1] for row in await history(order)] == ["guest left"]


@pytest.mark.parametrize(
    "body",
    [{}, {"status": None}, {"status": "done"}, {"status": "NEW"}, {"status": 1}, {"status": ["new"]}],
)
async def test_invalid_status_is_refused(store, order, body):
    refused = await store.send("PUT", f"/orders/{order['id']}/status", body)

    assert refused.errors.keys() == {"status"}
    assert (await store.get(f"/orders/{order['id']}")).document == order


@pytest.mark.parametrize("order_id", ["0", "999999999999", "soup", "-1", "9" * 30])
async def test_status_of_unknown_order_is_404(store, order_id):
    assert (await store.set_status(order_id, "ready")).status == 404
