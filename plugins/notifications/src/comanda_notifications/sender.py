"""Sends messages, each channel by itself: a mail server that hangs holds up no code that goes by SMS."""

import asyncio
import re
import time
from datetime import timedelta
from random import SystemRandom
from typing import Final

import structlog
from comanda import clock, runtime
from comanda.contracts.messaging import Channel, RecipientGone, Transport, Undeliverable
from comanda.contracts.tasks import WakeEvent
from comanda.db.errors import TRANSIENT_ERRORS

from comanda_notifications import devices, settings
from comanda_notifications.checking import masked
from comanda_notifications.claiming import Claimed, Outcome, claim, save
from comanda_notifications.models import Status
from comanda_notifications.schedule import next_attempt_at

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
ATTEMPT_SECONDS = 15.0
GRACE_SECONDS = 2.0
JITTER: Final = SystemRandom()
WORDS: Final = re.compile(r"\w{4,}")


class Sender:
    """Claims, sends and writes down, for one channel. One per process and channel; any number of processes."""

    def __init__(self, channel: Channel, max_in_flight: int) -> None:
        self._channel = channel
        self._max_in_flight = max_in_flight
        self._attempts: set[asyncio.Task[None]] = set()
        self._wake = WakeEvent()

    async def run(self, wake: WakeEvent) -> None:
        """Send until cancelled; then finish what can be finished shortly."""
        self._wake = wake
        if ready_transport(self._channel) is None:
            log.warning("notifications_channel_without_transport", channel=self._channel)
        try:
            while True:
                try:
                    await self.fill()
                except TRANSIENT_ERRORS as error:
                    log.warning("notification_sender_waits", channel=self._channel, error=repr(error))
                    await asyncio.sleep(POLL_SECONDS)
                await wake.wait(POLL_SECONDS)
        finally:
            await self._stop()

    async def work_off(self) -> int:
        """Send everything that is due, and return how many messages that were."""
        count = 0
        while claimed := await self.fill():
            count += claimed
            await asyncio.gather(*self._attempts)
        return count

    async def fill(self) -> int:
        """Claim as much as there is room for and begin to send it; return how much that was."""
        room = self._max_in_flight - len(self._attempts)
        if not room:
            return 0
        found = await claim(self._channel, room)
        for claimed in found:
            task = asyncio.create_task(self._carry(claimed))
            self._attempts.add(task)
            task.add_done_callback(self._attempts.discard)
        return len(found)

    async def _carry(self, claimed: Claimed) -> None:
        outcome = await attempt(claimed)
        try:
            await _write(claimed, outcome)
        except Exception:
            # The lease runs out by itself, and the message is sent once more.
            log.exception("notification_result_lost", message_id=claimed.id)
        self._wake.set()

    async def _stop(self) -> None:
        if self._attempts:
            await asyncio.wait(self._attempts, timeout=GRACE_SECONDS)
        left = list(self._attempts)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def attempt(claimed: Claimed) -> Outcome:
    """Hand a message to the channel's transport. Whatever goes wrong is the outcome, never an exception."""
    moment = clock.now()
    if claimed.expires_at is not None and claimed.expires_at <= moment:
        return Outcome(Status.UNDELIVERABLE, moment, error="It came too late to be worth sending.")
    transport = ready_transport(claimed.message.channel)
    if transport is None:
        error = f"No transport for {claimed.message.channel} is set up."
        return Outcome(Status.UNDELIVERABLE, moment, error=error)
    started = time.perf_counter()
    status, reason = await _send(transport, claimed)
    spent = time.perf_counter() - started
    later = None
    if status is Status.PENDING:
        later = next_attempt_at(claimed.attempt, moment + timedelta(seconds=spent), claimed.expires_at, JITTER)
        status = Status.PENDING if later else Status.UNDELIVERABLE
    return Outcome(status, moment, transport.name, reason, later, round(spent * 1000))


def ready_transport(channel: Channel) -> Transport | None:
    """Return the transport that carries a channel's messages now, or None if none is set up."""
    return next((one for one in runtime.registry().transports if one.channel == channel and one.is_ready()), None)


async def _send(transport: Transport, claimed: Claimed) -> tuple[Status, str | None]:
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            await transport.send(claimed.message)
    except RecipientGone as error:
        await _forget_device(claimed)
        return Status.UNDELIVERABLE, _sentence(error, claimed)
    except Undeliverable as error:
        return Status.UNDELIVERABLE, _sentence(error, claimed)
    except TimeoutError:
        return Status.PENDING, "It took too long to be accepted."
    except Exception as error:
        return Status.PENDING, _sentence(error, claimed)
    return Status.SENT, None


async def _forget_device(claimed: Claimed) -> None:
    if claimed.message.channel != "push":
        return
    try:
        await devices.gone(claimed.owner_id, claimed.message.to)
    except TRANSIENT_ERRORS as error:
        # The next message to the device tells it again.
        log.warning("notification_device_stays", message_id=claimed.id, error=repr(error))


def _sentence(error: Exception, claimed: Claimed) -> str:
    """Word an error without the address, and without any word of a secret that the other side may have repeated."""
    address, secret = claimed.message.to, claimed.message.text if claimed.is_secret else ""
    sentence = (str(error) or type(error).__name__).replace(address, masked(claimed.message.channel, address))
    return WORDS.sub(lambda word: "…" if word[0] in secret else word[0], sentence)


async def _write(claimed: Claimed, outcome: Outcome) -> None:
    """Write a result down, again and again while the database is away and the lease is ours."""
    erases = claimed.is_secret and outcome.status is not Status.PENDING and not settings.is_development()
    while True:
        try:
            if await save(claimed, outcome, erases=erases):
                _tell(claimed, outcome)
            return
        except TRANSIENT_ERRORS as error:
            if clock.now() >= claimed.leased_until:
                raise
            log.warning("notification_result_waits", message_id=claimed.id, error=repr(error))
            await asyncio.sleep(POLL_SECONDS)


def _tell(claimed: Claimed, outcome: Outcome) -> None:
    facts = {
        "message_id": claimed.id,
        "owner_id": claimed.owner_id,
        "purpose": claimed.purpose,
        "channel": claimed.message.channel,
        "to": masked(claimed.message.channel, claimed.message.to),
        "transport": outcome.transport,
        "attempt": claimed.attempt,
    }
    if outcome.status is Status.SENT:
        log.info("notification_sent", **facts)
    elif outcome.status is Status.PENDING:
        log.warning("notification_attempt_failed", error=outcome.error, **facts)
    else:
        log.error("notification_undeliverable", error=outcome.error, **facts)


async def run(channel: Channel, wake: WakeEvent) -> None:
    """Send a channel's messages for as long as the process lives."""
    await Sender(channel, settings.current().max_in_flight).run(wake)
