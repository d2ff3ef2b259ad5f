"""Senders of messages."""

import asyncio
from contextlib import suppress
from datetime import timedelta

from comanda.contracts import OutgoingMessage, Transport, Undeliverable
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform.db import sql
from comanda.platform.queue import result_writer
from comanda_notifications.services import sender
from comanda_notifications.services.sender import find_transport, get_next_attempt_at


async def test_message_is_sent_once_and_logged(send, senders, carrier, read_message, read_attempts, clock):
    id = await send()

    assert await senders["sms"].process_all_due() == 1
    assert await senders["sms"].process_all_due() == 0

    [message] = carrier.sent
    stored = await read_message(id)
    assert (message.to, message.text, message.id) == ("+351911111111", "Your table is ready.", stored["number"])
    assert (stored["status"], stored["transport"], stored["error"]) == ("sent", "carrier", None)
    assert (stored["attempts"], stored["finished_at"], stored["text"]) == (1, clock(), "Your table is ready.")
    assert await read_attempts(id) == [(1, "carrier", None)]


async def test_channels_are_sent_separately(send, senders, carrier):
    await send()
    await send("email", "ana@example.com")

    assert await senders["push"].process_all_due() == 0
    assert await senders["email"].process_all_due() == 1
    assert [message.channel for message in carrier.sent] == ["email"]


async def test_undeliverable_message_is_attempted_once(send, senders, carrier, read_message, read_attempts):
    carrier.error = Undeliverable("There is no such number.")
    id = await send()

    await senders["sms"].process_all_due()

    stored = await read_message(id)
    assert (stored["status"], stored["error"], stored["text"]) == (
        "undeliverable",
        "There is no such number.",
        "Your table is ready.",
    )
    assert len(await read_attempts(id)) == 1


async def test_hanging_transport_times_out_and_is_retried(send, senders, read_message, monkeypatch):
    async def hang(_message):
        await asyncio.sleep(60)

    monkeypatch.setattr(sender, "ATTEMPT_SECONDS", 0.05)
    monkeypatch.setattr(sender, "list_ready_transports", lambda channel: [Transport("slow", channel, hang)])
    id = await send()

    await senders["sms"].process_all_due()

    stored = await read_message(id)
    assert (stored["status"], stored["error"]) == ("pending", "The transport timed out.")


async def test_running_sender_is_woken_and_stops_on_cancel(send, senders, carrier, read_message):
    running = asyncio.create_task(senders["sms"].run())
    id = await send()
    senders["sms"].wake()
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        await carrier.arrived.wait()

    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert len(carrier.sent) == 1
    assert (await read_message(id))["status"] == "sent"


async def test_message_without_transport_is_undeliverable(send, senders, read_message, production, capsys):
    id = await send()

    await senders["sms"].process_all_due()

    stored = await read_message(id)
    assert (stored["status"], stored["error"]) == ("undeliverable", "No transport is configured for sms.")
    assert (stored["transport"], stored["text"]) == (None, "Your table is ready.")
    assert await sender.find_transport(OutgoingMessage("sms", "+351911111111", "x")) is None


async def test_expired_message_is_not_sent(send, senders, carrier, read_message, clock):
    id = await send(expires_at=clock() + timedelta(minutes=10))
    clock.advance(minutes=10)

    await senders["sms"].process_all_due()

    assert carrier.sent == []
    assert ((await read_message(id))["status"], (await read_message(id))["error"]) == (
        "undeliverable",
        "Expired before it could be sent.",
    )


async def test_secret_is_erased_once_sent(send, senders, carrier, read_message, production):
    id = await send("email", "ana@example.com", "Your code is 834112.", subject="834112", html="<b>8</b>", secret=True)
    assert (await read_message(id))["text"] == "Your code is 834112."

    await senders["email"].process_all_due()

    stored = await read_message(id)
    assert carrier.sent[0].text == "Your code is 834112."
    assert (stored["status"], stored["text"], stored["subject"], stored["html"]) == ("sent", None, None, None)


async def test_secret_is_kept_until_given_up(send, senders, carrier, read_message, read_attempts, clock, production):
    carrier.error = OSError("Cannot send 834112 to +351911111111")
    id = await send(text="Your code is 834112.", secret=True)
    await senders["sms"].process_all_due()
    before = (await read_message(id))["text"]
    carrier.error = Undeliverable("No.")
    clock.advance(seconds=40)

    await senders["sms"].process_all_due()

    stored = await read_message(id)
    assert before == "Your code is 834112."
    assert (stored["status"], stored["text"]) == ("undeliverable", None)
    assert await read_attempts(id) == [(1, "carrier", "Cannot send … to …111"), (2, "carrier", "No.")]


async def test_log_contains_no_address_and_no_text(send, senders, carrier, monkeypatch):
    logged = []
    monkeypatch.setattr(sender.log, "error", lambda event, **facts: logged.append((event, facts)), raising=False)
    carrier.error = Undeliverable("No +351911111111 here.")
    await send()

    await senders["sms"].process_all_due()

    [(event, facts)] = logged
    assert event == "notification_undeliverable"
    assert (facts["to"], facts["error"]) == ("…111", "No …111 here.")
    assert "911111111" not in repr(facts)
    assert "table" not in repr(facts)


async def test_unavailable_database_loses_no_result(send, senders, carrier, read_message, monkeypatch):
    monkeypatch.setattr(result_writer, "RETRY_SECONDS", 0.01)
    real, failures, saved = sender.record_attempt, [OSError("away"), OSError("away")], asyncio.Event()

    async def save(*given, **options):
        if failures:
            raise failures.pop()
        is_saved = await real(*given, **options)
        saved.set()
        return is_saved

    monkeypatch.setattr(sender, "record_attempt", save)
    id = await send()

    running = asyncio.create_task(senders["sms"].run())
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        await saved.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert len(carrier.sent) == 1
    assert await sql.fetch_value("SELECT count(*) FROM notifications_attempt WHERE message_id = $1", id) == 1


async def test_configured_transport_precedes_outbox(mail_server, gateway):
    messages = [OutgoingMessage(channel, "", "") for channel in ("sms", "email", "push")]
    names = [(await find_transport(message)).name for message in messages]

    assert names == ["sms_gateway", "smtp", "push_gateway"]


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
