"""What a service reports on SMS that it took, and whose SMS an answer ends."""

PHONE = "+351911111111"


async def test_first_report_is_shown_where_messages_are_listed(report, sent, store):
    first = await report("reports", {"id": sent["number"], "status": "failed", "error": "Unknown subscriber"})
    second = await report("reports", {"id": sent["number"], "status": "delivered"}, id="2")

    [message] = (await store.get("/messages"))["data"]
    assert (first, second) == (204, 204)
    assert (message["status"], message["delivery"]) == ("sent", "failed")
    assert message["delivery_error"] == "Unknown subscriber"


async def test_report_may_come_before_the_attempt_is_saved(report, send, senders, gateway, read_message):
    id = await send(to=PHONE)
    await report("reports", {"id": (await read_message(id))["number"], "status": "delivered"})

    await senders["sms"].process_all_due()

    message = await read_message(id)
    assert (message["status"], message["delivery"]) == ("sent", "delivered")


async def test_answer_without_a_message_stops_all_who_wrote(report, sent, send, other_owner, senders, read_message):
    other = await send(to=PHONE, owner_id=other_owner.id)
    assert await report("replies", {"from": PHONE, "text": "Stop"}) == 204

    mine = await send(to=PHONE)
    await senders["sms"].process_all_due()

    assert [(await read_message(id))["status"] for id in (mine, other)] == ["opted_out", "opted_out"]


async def test_answer_to_a_message_stops_its_owner_alone(report, sent, send, other_owner, senders, read_message):
    other = await send(to=PHONE, owner_id=other_owner.id)
    await report("replies", {"from": PHONE, "text": "Stop", "id": sent["number"]})

    mine = await send(to=PHONE)
    await senders["sms"].process_all_due()

    assert [(await read_message(id))["status"] for id in (mine, other)] == ["opted_out", "sent"]
