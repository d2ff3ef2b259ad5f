"""Deliveries follow the test clock."""


async def test_retry_falls_due_after_an_advance(
    inbox, create_endpoint, emit_events, sender, get_deliveries, advance_time
):
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events(order_id=7)
    await sender.process_all_due()
    await sender.process_all_due()
    assert len(inbox.received) == 1

    inbox.status = 200
    advance_time(hours=2)
    await sender.process_all_due()

    assert len(inbox.received) == 2
    assert [row["status"] for row in await get_deliveries(endpoint)] == ["delivered"]
