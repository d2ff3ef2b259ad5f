"""The points of customers over the API: balance, history, corrections."""

import pytest


async def test_customer_reads_points_and_rewards(store, ada, paid_order):
    reply = await store.send("POST", "/loyalty/rewards", {"name": "2 off", "type": "fixed", "value": 2, "points": 20})
    await store.send("POST", "/loyalty/rewards", {"name": "A tenth", "type": "percentage", "value": 10, "points": 21})

    own = (await ada.send("GET", "/loyalty")).document

    assert (own["balance"], own["programme"]["points"]) == (20, 1)
    assert [(each["id"], each["value"], each["is_affordable"]) for each in own["rewards"]] == [
        (reply["id"], 2, True), (reply["id"] + 1, 10, False),
    ]  # fmt: skip
    assert [(entry["kind"], entry["order_id"]) for entry in own["entries"]] == [("earn", paid_order["id"])]


async def test_store_without_programme_has_none(ada):
    own = (await ada.send("GET", "/loyalty")).document

    assert own == {"balance": 0, "programme": None, "rewards": [], "entries": []}


async def test_correction_is_made_once_for_a_key(ada, programme, check_ledger):
    for _ in range(3):
        reply = await ada.adjust(50, **{"Idempotency-Key": "one"})
        assert reply.status in {200, 201}

    assert await ada.entries() == [("adjust", 50)]
    assert [entry["note"] for entry in reply["entries"]] == ["Welcome"]
    await check_ledger()


@pytest.mark.parametrize(
    ("points", "reason"), [(0, "x"), (-1, "x"), (1_000_001, "x"), (1.5, "x"), (True, "x"), (5, ""), (5, " "), (5, None)]
)
async def test_invalid_correction_is_refused(ada, points, reason):
    assert (await ada.adjust(points, reason)).status == 422
    assert await ada.entries() == []


async def test_concurrent_corrections_never_overdraw(ada, gather, check_ledger):
    await ada.adjust(5)

    replies = await gather(*(ada.adjust(-2) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] * 2 + [422] * 6
    assert await ada.points() == 1
    await check_ledger()


async def test_customer_of_another_store_is_not_found(store, ada, open_store):
    other = await open_store("restaurant")

    assert (await other.send("GET", f"/loyalty/customers/{ada.id}")).status == 404
    body = {"points": 5, "reason": "x"}
    assert (await other.send("POST", f"/loyalty/customers/{ada.id}/entries", body)).status == 404
    assert await ada.entries() == []
