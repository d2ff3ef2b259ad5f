"""Retries of messages."""

from datetime import timedelta

from comanda_notifications.services.retry_schedule import get_next_attempt_at


async def test_message_is_given_up_after_five_attempts(send, senders, carrier, read_message, read_attempts, clock):
    carrier.error = ConnectionResetError("The line to +351911111111 broke.")
    id = await send()
    waits = []

    for _ in range(5):
        assert await senders["sms"].process_all_due() == 1
        stored = await read_message(id)
        if stored["next_attempt_at"]:
            waits.append((stored["next_attempt_at"] - clock()).total_seconds())
            clock.set(stored["next_attempt_at"] - timedelta(seconds=1))
            assert await senders["sms"].process_all_due() == 0
            clock.advance(seconds=1)

    assert [
        low <= wait <= high for wait, low, high in zip(waits, (25, 102, 510, 3060), (36, 139, 691, 4141), strict=True)
    ] == [True] * 4
    assert (stored["status"], stored["attempts"]) == ("undeliverable", 5)
    assert await read_attempts(id) == [(number, "carrier", "The line to …111 broke.") for number in range(1, 6)]
    assert carrier.sent == []


async def test_successful_retry_is_final(send, senders, carrier, read_message, read_attempts, clock):
    carrier.error = OSError("Away.")
    id = await send()
    await senders["sms"].process_all_due()
    carrier.error = None
    clock.advance(seconds=40)

    await senders["sms"].process_all_due()

    assert len(carrier.sent) == 1
    assert (await read_message(id))["status"] == "sent"
    assert await read_attempts(id) == [(1, "carrier", "Away."), (2, "carrier", None)]


async def test_no_retry_after_expiry(send, senders, carrier, read_message, clock):
    carrier.error = OSError("Away.")
    id = await send(expires_at=clock() + timedelta(seconds=20))

    await senders["sms"].process_all_due()

    assert ((await read_message(id))["status"], (await read_message(id))["error"]) == ("undeliverable", "Away.")


def test_there_is_no_sixth_attempt(clock):
    assert get_next_attempt_at(5, clock(), None) is None
