"""The routes of the delivery log."""

import orjson


async def test_log_is_paged_newest_first_and_filtered(inbox, subscribe, happen, sender, at):
    endpoint = await subscribe(inbox.url)
    await happen(count=32)
    await happen("menu.updated", restaurant_id=1)
    await sender.send_due()
    await happen()

    _, first = await at(endpoint, "/deliveries")
    _, second = await at(endpoint, "/deliveries?page=2")
    _, menus = await at(endpoint, "/deliveries?event=menu.updated")
    _, pending = await at(endpoint, "/deliveries?status=pending&event=order.created")

    assert (first["total"], first["last_page"], first["per_page"], len(second["data"])) == (34, 2, 30, 4)
    ids = [row["id"] for row in first["data"] + second["data"]]
    assert ids == sorted(ids, reverse=True)
    assert [(row["event"], row["status"]) for row in menus["data"]] == [("menu.updated", "delivered")]
    assert [row["id"] for row in pending["data"]] == ids[:1]


async def test_unknown_status_returns_422(subscribe, at):
    status, answer = await at(await subscribe("https://hooks.example.com/in"), "/deliveries?status=lost")

    assert status == 422
    assert answer["errors"] == {"status": ["Must be one of: pending, delivered, failed, superseded."]}


async def test_delivery_shows_payload_and_attempts(failed, at):
    endpoint, row = failed

    status, shown = await at(endpoint, f"/deliveries/{row['id']}")

    assert status == 200
    assert (shown["webhook_id"], shown["status"], shown["http_status"]) == (row["message_id"], "failed", 500)
    assert shown["payload"] == orjson.loads(row["body"])
    [attempt] = shown["attempts"]
    assert (attempt["number"], attempt["http_status"], attempt["error"]) == (5, 500, None)


async def test_delivery_of_other_endpoint_returns_404(failed, subscribe, at, rows):
    endpoint, row = failed
    second = await subscribe("https://hooks.example.com/second")

    assert (await at(second, f"/deliveries/{row['id']}"))[0] == 404
    assert (await at(second, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 404
    assert len(await rows(endpoint)) == 1


async def test_replay_requires_utc_offset(subscribe, at):
    endpoint = await subscribe("https://hooks.example.com/in")

    status, answer = await at(endpoint, "/replay", "POST", json={"since": "2026-01-01T00:00:00"})

    assert (status, list(answer["errors"])) == (422, ["since"])
