"""The intake status of a store, and the event that announces it."""

from datetime import UTC, datetime, timedelta


async def test_every_status_that_is_set_is_announced(client, owner, published):
    store_id = await owner.store()
    path = f"/api/v1/restaurants/{store_id}/intake-status"
    until = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0).isoformat()
    bodies = [{"status": "busy", "delay_minutes": 15, "until": until}, {"status": "paused"}, {"status": "online"}]

    for body in bodies:
        assert (await client.put(path, headers=owner.auth, json=body)).status_code == 200

    unset = {"restaurant_id": store_id, "delay_minutes": 0, "until": None}
    assert await published() == [("store.intake_changed", {**unset, **body}) for body in bodies]


async def test_refused_status_is_not_announced(client, owner, other_owner, published):
    path = f"/api/v1/restaurants/{await owner.store()}/intake-status"

    invalid = await client.put(path, headers=owner.auth, json={"status": "busy"})
    foreign = await client.put(path, headers=other_owner.auth, json={"status": "paused"})

    assert (invalid.status_code, foreign.status_code, await published()) == (422, 404, [])
