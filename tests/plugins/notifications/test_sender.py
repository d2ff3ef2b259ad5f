"""Sending: retries, leases, what is given up, and what becomes of secrets."""

import asyncio
from contextlib import suppress
from datetime import timedelta

from comanda.contracts.messaging import Transport, Undeliverable
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda_notifications import sender as sending
from comanda_notifications import tasks
from comanda_notifications.claiming import LEASE, claim
from comanda_notifications.schedule import next_attempt_at
from comanda_notifications.sender import Sender


async def test_a_message_is_sent_once_and_logged(send, senders, carrier, row, attempts, clock):
    id = await send()

    assert await senders["sms"].work_off() == 1
    assert await senders["sms"].work_off() == 0

    [message] = carrier.sent
    stored = await row(id)
    assert (message.to, message.text, message.id) == ("+351911111111", "Your table is ready.", stored["number"])
    assert (stored["status"], stored["transport"], stored["error"]) == ("sent", "carrier", None)
    assert (stored["attempts"], stored["finished_at"], stored["text"]) == (1, clock(), "Your table is ready.")
    assert await attempts(id) == [(1, "carrier", None)]


async def test_channels_are_worked_off_apart(send, senders, carrier):
    await send()
    await send("email", "ana@example.com")

    assert await senders["push"].work_off() == 0
    assert await senders["email"].work_off() == 1
    assert [message.channel for message in carrier.sent] == ["email"]


async def test_a_message_is_tried_five_times_and_then_given_up(send, senders, carrier, row, attempts, clock):
    carrier.error = ConnectionResetError("The line to +351911111111 broke.")
    id = await send()
    waits = []

    for _ in range(5):
        assert await senders["sms"].work_off() == 1
        stored = await row(id)
        if stored["next_attempt_at"]:
            waits.append((stored["next_attempt_at"] - clock()).total_seconds())
            clock.set(stored["next_attempt_at"] - timedelta(seconds=1))
            assert await senders["sms"].work_off() == 0
            clock.advance(seconds=1)

    assert [
        low <= wait <= high for wait, low, high in zip(waits, (25, 102, 510, 3060), (36, 139, 691, 4141), strict=True)
    ] == [True] * 4
    assert (stored["status"], stored["attempts"]) == ("undeliverable", 5)
    assert await attempts(id) == [(number, "carrier", "The line to …111 broke.") for number in range(1, 6)]
    assert carrier.sent == []


async def test_a_retry_that_succeeds_is_the_end(send, senders, carrier, row, attempts, clock):
    carrier.error = OSError("Away.")
    id = await send()
    await senders["sms"].work_off()
    carrier.error = None
    clock.advance(seconds=40)

    await senders["sms"].work_off()

    assert len(carrier.sent) == 1
    assert (await row(id))["status"] == "sent"
    assert await attempts(id) == [(1, "carrier", "Away."), (2, "carrier", None)]


async def test_what_can_never_arrive_is_tried_once(send, senders, carrier, row, attempts):
    carrier.error = Undeliverable("There is no such number.")
    id = await send()

    await senders["sms"].work_off()

    stored = await row(id)
    assert (stored["status"], stored["error"], stored["text"]) == (
        "undeliverable",
        "There is no such number.",
        "Your table is ready.",
    )
    assert len(await attempts(id)) == 1


async def test_a_transport_that_hangs_is_left_and_tried_again(send, senders, row, monkeypatch):
    async def hang(_message):
        await asyncio.sleep(60)

    monkeypatch.setattr(sending, "ATTEMPT_SECONDS", 0.05)
    monkeypatch.setattr(sending, "ready_transport", lambda channel: Transport("slow", channel, hang))
    id = await send()

    await senders["sms"].work_off()

    stored = await row(id)
    assert (stored["status"], stored["error"]) == ("pending", "It took too long to be accepted.")


async def test_a_sender_that_was_killed_leaves_its_messages_to_others(send, senders, carrier, row, clock):
    id = await send()
    assert len(await claim("sms", 10)) == 1  # and the process dies

    clock.advance(seconds=44)
    assert await senders["sms"].work_off() == 0
    clock.advance(seconds=2)
    assert await senders["sms"].work_off() == 1

    assert (await row(id))["status"] == "sent"
    assert len(carrier.sent) == 1


async def test_a_result_after_the_lease_counts_for_nothing(send, senders, carrier, row, attempts, clock):
    id = await send()
    [late] = await claim("sms", 10)
    clock.advance(seconds=46)
    await senders["sms"].work_off()
    carrier.error = Undeliverable("Too late.")

    await senders["sms"]._carry(late)

    stored = await row(id)
    assert (stored["status"], stored["attempts"], stored["error"]) == ("sent", 1, None)
    assert await attempts(id) == [(1, "carrier", None)]


async def test_two_senders_share_the_work_and_send_nothing_twice(send, senders, carrier):
    for number in range(20):
        await send(to=f"+3519{number:08}")

    counts = await asyncio.gather(*(Sender("sms", 3).work_off() for _ in range(3)))

    assert sum(counts) == 20
    assert len({message.to for message in carrier.sent}) == len(carrier.sent) == 20


async def test_a_running_sender_hears_the_bell_and_stops_when_told(send, senders, carrier, row):
    wake = WakeEvent()
    running = asyncio.create_task(senders["sms"].run(wake))
    id = await send()
    wake.set()
    async with asyncio.timeout(5):
        await carrier.arrived.wait()

    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert len(carrier.sent) == 1
    assert (await row(id))["status"] == "sent"


async def test_without_a_transport_a_message_is_kept_and_said_to_be_undeliverable(
    send, senders, row, production, capsys
):
    id = await send()

    await senders["sms"].work_off()

    stored = await row(id)
    assert (stored["status"], stored["error"]) == ("undeliverable", "No transport for sms is set up.")
    assert (stored["transport"], stored["text"]) == (None, "Your table is ready.")
    assert sending.ready_transport("sms") is None


async def test_in_development_the_outbox_takes_every_message(send, senders, row):
    ids = [await send(), await send("email", "ana@example.com"), await send("push", "token-1")]
    for sender in senders.values():
        await sender.work_off()

    stored = [await row(id) for id in ids]
    assert [(one["status"], one["transport"]) for one in stored] == [
        ("sent", "sms_outbox"),
        ("sent", "email_outbox"),
        ("sent", "push_outbox"),
    ]


async def test_a_message_that_came_too_late_is_not_sent(send, senders, carrier, row, clock):
    id = await send(expires_at=clock() + timedelta(minutes=10))
    clock.advance(minutes=10)

    await senders["sms"].work_off()

    assert carrier.sent == []
    assert ((await row(id))["status"], (await row(id))["error"]) == (
        "undeliverable",
        "It came too late to be worth sending.",
    )


async def test_a_retry_that_would_come_too_late_is_none(send, senders, carrier, row, clock):
    carrier.error = OSError("Away.")
    id = await send(expires_at=clock() + timedelta(seconds=20))

    await senders["sms"].work_off()

    assert ((await row(id))["status"], (await row(id))["error"]) == ("undeliverable", "Away.")


async def test_a_secret_is_erased_when_it_was_sent(send, senders, carrier, row, production):
    id = await send("email", "ana@example.com", "Your code is 834112.", subject="834112", html="<b>8</b>", secret=True)
    assert (await row(id))["text"] == "Your code is 834112."

    await senders["email"].work_off()

    stored = await row(id)
    assert carrier.sent[0].text == "Your code is 834112."
    assert (stored["status"], stored["text"], stored["subject"], stored["html"]) == ("sent", None, None, None)


async def test_a_secret_is_kept_for_its_retry_and_erased_when_it_is_given_up(
    send, senders, carrier, row, attempts, clock, production
):
    carrier.error = OSError("Cannot send 834112 to +351911111111")
    id = await send(text="Your code is 834112.", secret=True)
    await senders["sms"].work_off()
    before = (await row(id))["text"]
    carrier.error = Undeliverable("No.")
    clock.advance(seconds=40)

    await senders["sms"].work_off()

    stored = await row(id)
    assert before == "Your code is 834112."
    assert (stored["status"], stored["text"]) == ("undeliverable", None)
    assert await attempts(id) == [(1, "carrier", "Cannot send … to …111"), (2, "carrier", "No.")]


async def test_development_keeps_secrets_and_production_erases_what_it_kept(
    send, senders, carrier, row, runtime, monkeypatch
):
    id = await send(text="Your code is 834112.", secret=True)
    plain = await send()
    await senders["sms"].work_off()
    await tasks.prune()
    assert (await row(id))["text"] == "Your code is 834112."

    monkeypatch.setattr(runtime.settings, "development", False)
    await tasks.prune()

    assert (await row(id))["text"] is None
    assert (await row(plain))["text"] == "Your table is ready."


async def test_messages_are_forgotten_after_30_days_with_their_attempts(
    send, senders, carrier, row, attempts, clock, monkeypatch
):
    monkeypatch.setattr(tasks, "CHUNK", 2)
    ids = [await send() for _ in range(5)]
    await senders["sms"].work_off()
    waiting = await send()
    clock.advance(days=29)
    await tasks.prune()
    assert (await row(ids[0]))["status"] == "sent"

    clock.advance(days=2)
    await tasks.prune()

    assert [await row(id) for id in ids] == [None] * 5
    assert await attempts(ids[0]) == []
    assert (await row(waiting))["status"] == "pending"


def test_a_lease_outlasts_an_attempt_and_the_writing_of_its_result():
    assert LEASE.total_seconds() > sending.ATTEMPT_SECONDS + 10


def test_there_is_no_sixth_attempt(clock):
    assert next_attempt_at(5, clock(), None, sending.JITTER) is None


async def test_the_log_names_no_address_and_no_text(send, senders, carrier, monkeypatch):
    told = []
    monkeypatch.setattr(sending.log, "error", lambda event, **facts: told.append((event, facts)), raising=False)
    carrier.error = Undeliverable("No +351911111111 here.")
    await send()

    await senders["sms"].work_off()

    [(event, facts)] = told
    assert event == "notification_undeliverable"
    assert (facts["to"], facts["error"]) == ("…111", "No …111 here.")
    assert "911111111" not in repr(facts)
    assert "table" not in repr(facts)


async def test_a_database_that_is_away_for_a_moment_loses_no_result(send, senders, carrier, row, monkeypatch):
    monkeypatch.setattr(sending, "POLL_SECONDS", 0.01)
    real, failures = sending.save, [OSError("away"), OSError("away")]

    async def save(*given, **options):
        if failures:
            raise failures.pop()
        return await real(*given, **options)

    monkeypatch.setattr(sending, "save", save)
    id = await send()

    await senders["sms"].work_off()

    assert (await row(id))["status"] == "sent"
    assert len(carrier.sent) == 1
    assert await sql.fetch_value("SELECT count(*) FROM notifications_attempt WHERE message_id = $1", id) == 1
