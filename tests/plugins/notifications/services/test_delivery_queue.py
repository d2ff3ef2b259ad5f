"""Leases of due messages."""

import asyncio

from comanda.contracts.messaging import Undeliverable
from comanda_notifications.services import sender
from comanda_notifications.services.delivery_queue import LEASE, claim_due_messages
from comanda_notifications.services.sender import ChannelSender


async def test_messages_of_killed_sender_are_claimed_again(send, senders, carrier, read_message, clock):
    id = await send()
    assert len(await claim_due_messages("sms", 10)) == 1  # and the process dies

    clock.advance(seconds=44)
    assert await senders["sms"].send_all_due() == 0
    clock.advance(seconds=2)
    assert await senders["sms"].send_all_due() == 1

    assert (await read_message(id))["status"] == "sent"
    assert len(carrier.sent) == 1


async def test_result_after_lease_is_ignored(send, senders, carrier, read_message, read_attempts, clock):
    id = await send()
    [late] = await claim_due_messages("sms", 10)
    clock.advance(seconds=46)
    await senders["sms"].send_all_due()
    carrier.error = Undeliverable("Too late.")

    await senders["sms"]._process(late)

    stored = await read_message(id)
    assert (stored["status"], stored["attempts"], stored["error"]) == ("sent", 1, None)
    assert await read_attempts(id) == [(1, "carrier", None)]


async def test_two_senders_send_nothing_twice(send, senders, carrier):
    for number in range(20):
        await send(to=f"+3519{number:08}")

    counts = await asyncio.gather(*(ChannelSender("sms", 3).send_all_due() for _ in range(3)))

    assert sum(counts) == 20
    assert len({message.to for message in carrier.sent}) == len(carrier.sent) == 20


def test_lease_outlasts_attempt_and_its_recording():
    assert LEASE.total_seconds() > sender.ATTEMPT_SECONDS + 10
