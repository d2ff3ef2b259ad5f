"""Senders of messages, one per channel, so that a slow mail server does not delay codes sent by SMS."""

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

from comanda_notifications import settings
from comanda_notifications.models import MessageStatus
from comanda_notifications.services import devices
from comanda_notifications.services.delivery_queue import (
    AttemptOutcome,
    ClaimedMessage,
    claim_due_messages,
    record_attempt,
)
from comanda_notifications.services.retry_schedule import get_next_attempt_at
from comanda_notifications.services.validation import mask_address

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
ATTEMPT_SECONDS = 15.0
GRACE_SECONDS = 2.0
RANDOM: Final = SystemRandom()
LONG_WORDS: Final = re.compile(r"\w{4,}")


class ChannelSender:
    """Sends the due messages of one channel. There is one per process and channel, in any number of processes."""

    def __init__(self, channel: Channel, max_in_flight: int) -> None:
        self._channel = channel
        self._max_in_flight = max_in_flight
        self._attempts: set[asyncio.Task[None]] = set()
        self._wake = WakeEvent()

    async def run(self, wake: WakeEvent) -> None:
        """Send until cancelled, then wait briefly for attempts in flight."""
        self._wake = wake
        if find_ready_transport(self._channel) is None:
            log.warning("notifications_channel_without_transport", channel=self._channel)
        try:
            while True:
                try:
                    await self.start_due_attempts()
                except TRANSIENT_ERRORS as error:
                    log.warning("notification_sender_waits", channel=self._channel, error=repr(error))
                    await asyncio.sleep(POLL_SECONDS)
                await wake.wait(POLL_SECONDS)
        finally:
            await self._stop()

    async def send_all_due(self) -> int:
        """Send all due messages and return their number."""
        count = 0
        while started := await self.start_due_attempts():
            count += started
            await asyncio.gather(*self._attempts)
        return count

    async def start_due_attempts(self) -> int:
        """Claim as many due messages as may be in flight, start sending them and return their number."""
        room = self._max_in_flight - len(self._attempts)
        if not room:
            return 0
        found = await claim_due_messages(self._channel, room)
        for claimed in found:
            task = asyncio.create_task(self._process(claimed))
            self._attempts.add(task)
            task.add_done_callback(self._attempts.discard)
        return len(found)

    async def _process(self, claimed: ClaimedMessage) -> None:
        outcome = await send_message(claimed)
        try:
            await _record_outcome(claimed, outcome)
        except Exception:
            # The lease expires, and the message is sent again.
            log.exception("notification_result_lost", message_id=claimed.id)
        self._wake.set()

    async def _stop(self) -> None:
        if self._attempts:
            await asyncio.wait(self._attempts, timeout=GRACE_SECONDS)
        unfinished = list(self._attempts)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)


async def send_message(claimed: ClaimedMessage) -> AttemptOutcome:
    """Send a message by its channel's transport. Errors become the outcome and are never raised."""
    moment = clock.now()
    if claimed.expires_at is not None and claimed.expires_at <= moment:
        return AttemptOutcome(MessageStatus.UNDELIVERABLE, moment, error="Expired before it could be sent.")
    transport = find_ready_transport(claimed.message.channel)
    if transport is None:
        error = f"No transport is configured for {claimed.message.channel}."
        return AttemptOutcome(MessageStatus.UNDELIVERABLE, moment, error=error)
    started = time.perf_counter()
    status, reason = await _send_by_transport(transport, claimed)
    spent = time.perf_counter() - started
    later = None
    if status is MessageStatus.PENDING:
        later = get_next_attempt_at(claimed.attempt, moment + timedelta(seconds=spent), claimed.expires_at, RANDOM)
        status = MessageStatus.PENDING if later else MessageStatus.UNDELIVERABLE
    return AttemptOutcome(status, moment, transport.name, reason, later, round(spent * 1000))


def find_ready_transport(channel: Channel) -> Transport | None:
    """Return the transport that currently carries a channel's messages, or None if none is configured."""
    return next((one for one in runtime.registry().transports if one.channel == channel and one.is_ready()), None)


async def _send_by_transport(transport: Transport, claimed: ClaimedMessage) -> tuple[MessageStatus, str | None]:
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            await transport.send(claimed.message)
    except RecipientGone as error:
        await _delete_device(claimed)
        return MessageStatus.UNDELIVERABLE, _describe_error(error, claimed)
    except Undeliverable as error:
        return MessageStatus.UNDELIVERABLE, _describe_error(error, claimed)
    except TimeoutError:
        return MessageStatus.PENDING, "The transport timed out."
    except Exception as error:
        return MessageStatus.PENDING, _describe_error(error, claimed)
    return MessageStatus.SENT, None


async def _delete_device(claimed: ClaimedMessage) -> None:
    if claimed.message.channel != "push":
        return
    try:
        await devices.delete_device_by_token(claimed.owner_id, claimed.message.to)
    except TRANSIENT_ERRORS as error:
        # The next message to the device will fail the same way and delete it.
        log.warning("notification_device_stays", message_id=claimed.id, error=repr(error))


def _describe_error(error: Exception, claimed: ClaimedMessage) -> str:
    """Return an error's text without the address and without words of a secret message that it may repeat."""
    address, secret = claimed.message.to, claimed.message.text if claimed.is_secret else ""
    sentence = (str(error) or type(error).__name__).replace(address, mask_address(claimed.message.channel, address))
    return LONG_WORDS.sub(lambda word: "…" if word[0] in secret else word[0], sentence)


async def _record_outcome(claimed: ClaimedMessage, outcome: AttemptOutcome) -> None:
    """Save an outcome, retrying while the database is unavailable and the lease is held."""
    erases = claimed.is_secret and outcome.status is not MessageStatus.PENDING and not settings.is_development()
    while True:
        try:
            if await record_attempt(claimed, outcome, erases=erases):
                _log_outcome(claimed, outcome)
            return
        except TRANSIENT_ERRORS as error:
            if clock.now() >= claimed.leased_until:
                raise
            log.warning("notification_result_waits", message_id=claimed.id, error=repr(error))
            await asyncio.sleep(POLL_SECONDS)


def _log_outcome(claimed: ClaimedMessage, outcome: AttemptOutcome) -> None:
    facts = {
        "message_id": claimed.id,
        "owner_id": claimed.owner_id,
        "purpose": claimed.purpose,
        "channel": claimed.message.channel,
        "to": mask_address(claimed.message.channel, claimed.message.to),
        "transport": outcome.transport,
        "attempt": claimed.attempt,
    }
    if outcome.status is MessageStatus.SENT:
        log.info("notification_sent", **facts)
    elif outcome.status is MessageStatus.PENDING:
        log.warning("notification_attempt_failed", error=outcome.error, **facts)
    else:
        log.error("notification_undeliverable", error=outcome.error, **facts)


async def run_sender(channel: Channel, wake: WakeEvent) -> None:
    """Send a channel's messages until cancelled."""
    await ChannelSender(channel, settings.get_settings().max_in_flight).run(wake)
