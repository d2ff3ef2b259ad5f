"""Cleanup of messages and secrets."""

from comanda_notifications import tasks


async def test_production_erases_secrets_kept_by_development(
    send, senders, carrier, read_message, runtime, monkeypatch
):
    id = await send(text="Your code is 834112.", secret=True)
    plain = await send()
    await senders["sms"].process_all_due()
    await tasks.prune()
    assert (await read_message(id))["text"] == "Your code is 834112."

    monkeypatch.setattr(runtime.settings, "development", False)
    await tasks.prune()

    assert (await read_message(id))["text"] is None
    assert (await read_message(plain))["text"] == "Your table is ready."


async def test_messages_and_attempts_are_deleted_after_30_days(
    send, senders, carrier, read_message, read_attempts, clock, monkeypatch
):
    monkeypatch.setattr(tasks, "BATCH_SIZE", 2)
    ids = [await send() for _ in range(5)]
    await senders["sms"].process_all_due()
    waiting = await send()
    clock.advance(days=29)
    await tasks.prune()
    assert (await read_message(ids[0]))["status"] == "sent"

    clock.advance(days=2)
    await tasks.prune()

    assert [await read_message(id) for id in ids] == [None] * 5
    assert await read_attempts(ids[0]) == []
    assert (await read_message(waiting))["status"] == "pending"
