"""Cleanup of messages and secrets."""

from comanda_notifications import tasks


async def test_production_erases_secrets_kept_by_development(send, senders, carrier, row, runtime, monkeypatch):
    id = await send(text="Your code is 834112.", secret=True)
    plain = await send()
    await senders["sms"].send_all_due()
    await tasks.prune()
    assert (await row(id))["text"] == "Your code is 834112."

    monkeypatch.setattr(runtime.settings, "development", False)
    await tasks.prune()

    assert (await row(id))["text"] is None
    assert (await row(plain))["text"] == "Your table is ready."


async def test_messages_and_attempts_are_deleted_after_30_days(
    send, senders, carrier, row, attempts, clock, monkeypatch
):
    monkeypatch.setattr(tasks, "BATCH_SIZE", 2)
    ids = [await send() for _ in range(5)]
    await senders["sms"].send_all_due()
    waiting = await send()
    clock.advance(days=29)
    await tasks.prune()
    assert (await row(ids[0]))["status"] == "sent"

    clock.advance(days=2)
    await tasks.prune()

    assert [await row(id) for id in ids] == [None] * 5
    assert await attempts(ids[0]) == []
    assert (await row(waiting))["status"] == "pending"
