"""The outbox transport."""


async def test_outbox_accepts_all_channels_in_development(send, senders, read_message):
    ids = [await send(), await send("email", "ana@example.com"), await send("push", "token-1")]
    for sender in senders.values():
        await sender.process_all_due()

    stored = [await read_message(id) for id in ids]
    assert [(one["status"], one["transport"]) for one in stored] == [
        ("sent", "sms_outbox"),
        ("sent", "email_outbox"),
        ("sent", "push_outbox"),
    ]
