"""Leases of due messages."""

import asyncio

from comanda.contracts import Undeliverable
from comanda.platform.queue.leases import claim_rows
from comanda_notifications.services import delivery_queue, sender


async def claim(channel):
    table = delivery_queue.TABLES[channel]
    lease = sender.create_work(channel, 10).limits.lease
    return await delivery_queue.prepare_messages(await claim_rows(table, 10, lease))


async def test_messages_of_killed_sender_are_claimed_again(send, senders, carrier, read_message, clock):
    id = await send()
    assert len(await claim("sms")) == 1  # and the process dies

    clock.advance(seconds=44)
    assert await senders["sms"].process_all_due() == 0
    clock.advance(seconds=2)
    assert await senders["sms"].process_all_due() == 1

    assert (await read_message(id))["status"] == "sent"
    assert len(carrier.sent) == 1


async def test_result_after_lease_is_ignored(send, senders, carrier, read_message, read_attempts, clock):
    id = await send()
    late = await claim("sms")
    clock.advance(seconds=46)
    await senders["sms"].process_all_due()
    carrier.error = Undeliverable("Too late.")

    work = sender.create_work("sms", 10)
    await work.save(await work.process(late))

    stored = await read_message(id)
    assert (stored["status"], stored["attempts"], stored["error"]) == ("sent", 1, None)
    assert await read_attempts(id) == [(1, "carrier", None)]


async def test_two_senders_send_nothing_twice(send, senders, carrier, new_consumer):
    for number in range(20):
        await send(to=f"+3519{number:08}")

    counts = await asyncio.gather(*(new_consumer("sms", 3).process_all_due() for _ in range(3)))

    assert sum(counts) == 20
    assert len({message.to for message in carrier.sent}) == len(carrier.sent) == 20


async def test_backlog_of_one_owner_leaves_room_for_others(send, senders, carrier, new_consumer, other_owner):
    for number in range(20):
        await send(to=f"+3519{number:08}")
    await send(to="+351922222222", owner_id=other_owner.id)

    consumer = new_consumer("sms", 4)
    assert await consumer.claim() == 3
    await asyncio.wait(consumer._calls)

    assert "+351922222222" in {message.to for message in carrier.sent}


def test_lease_outlasts_attempt_and_its_recording():
    limits = sender.create_work("sms", 10).limits
    assert limits.deadline_seconds > sender.ATTEMPT_SECONDS + 10
    assert limits.lease.total_seconds() > limits.deadline_seconds + 10
