"""The routes of the delivery log."""

import orjson


async def test_log_is_paged_newest_first_and_filtered(inbox, create_endpoint, emit_events, sender, call_endpoint):
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=32)
    await emit_events("menu.updated", restaurant_id=1)
    await sender.process_all_due()
    await emit_events()

    _, first = await call_endpoint(endpoint, "/deliveries")
    _, second = await call_endpoint(endpoint, "/deliveries?page=2")
    _, menus = await call_endpoint(endpoint, "/deliveries?event=menu.updated")
    _, pending = await call_endpoint(endpoint, "/deliveries?status=pending&event=order.created")

    assert (first["total"], first["last_page"], first["per_page"], len(second["data"])) == (34, 2, 30, 4)
    ids = [row["id"] for row in first["data"] + second["data"]]
    assert ids == sorted(ids, reverse=True)
    assert [(row["event"], row["status"]) for row in menus["data"]] == [("menu.updated", "delivered")]
    assert [row["id"] for row in pending["data"]] == ids[:1]


async def test_unknown_status_returns_422(create_endpoint, call_endpoint):
    status, answer = await call_endpoint(
        await create_endpoint("https://hooks.example.com/in"), "/deliveries?status=lost"
    )

    assert status == 422
    assert answer["errors"] == {"status": ["Must be one of: pending, delivered, failed, superseded."]}


async def test_delivery_shows_payload_and_attempts(failed_delivery, call_endpoint):
    endpoint, row = failed_delivery

    status, shown = await call_endpoint(endpoint, f"/deliveries/{row['id']}")

    assert status == 200
    assert (shown["webhook_id"], shown["status"], shown["http_status"]) == (row["message_id"], "failed", 500)
    assert shown["payload"] == orjson.loads(row["body"])
    [attempt] = shown["attempts"]
    assert (attempt["number"], attempt["http_status"], attempt["error"]) == (5, 500, None)


async def test_delivery_of_other_endpoint_returns_404(failed_delivery, create_endpoint, call_endpoint, get_deliveries):
    endpoint, row = failed_delivery
    second = await create_endpoint("https://hooks.example.com/second")

    assert (await call_endpoint(second, f"/deliveries/{row['id']}"))[0] == 404
    assert (await call_endpoint(second, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 404
    assert len(await get_deliveries(endpoint)) == 1


async def test_replay_requires_utc_offset(create_endpoint, call_endpoint):
    endpoint = await create_endpoint("https://hooks.example.com/in")

    status, answer = await call_endpoint(endpoint, "/replay", "POST", json={"since": "2026-01-01T00:00:00"})

    assert (status, list(answer["errors"])) == (422, ["since"])
