"""Senders of messages, one per channel, so that a slow mail server does not delay codes sent by SMS."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import uuid4

import structlog
from comanda.basics import clock
from comanda.contracts import (
    CHANNELS,
    Channel,
    ClaimedRow,
    LeasedQueue,
    OutgoingMessage,
    QueueLimits,
    QueueWork,
    RecipientGone,
    RetrySchedule,
    Transport,
    Undeliverable,
)
from comanda.platform import PluginFailed, call_plugin, plugin_context, run_plugin, runtime
from comanda.platform.db import TRANSIENT_ERRORS

from comanda_notifications import settings
from comanda_notifications.models import MessageStatus
from comanda_notifications.services import devices, opt_outs
from comanda_notifications.services.dead_letters import DEAD_LETTERS
from comanda_notifications.services.delivery_queue import (
    TABLES,
    AttemptOutcome,
    ClaimedMessage,
    prepare_messages,
    record_attempt,
)
from comanda_notifications.services.messages import get_queue_name
from comanda_notifications.services.validation import mask_address, normalize_message

log = structlog.get_logger(__name__)

ATTEMPT_SECONDS = 15.0
# An attempt that fails by its own limit has a result; this one is for what must not happen.
DEADLINE_SECONDS: Final = 30.0
TEST_SUBJECT: Final = "Test message"
TEST_TEXT: Final = "This is a test message of Comanda. Messages of this kind arrive."
# What choosing a transport may fail with; the message is then sent later.
UNAVAILABLE: Final[tuple[type[Exception], ...]] = (PluginFailed, *TRANSIENT_ERRORS)
LONG_WORDS: Final = re.compile(r"\w{4,}")
RETRIES: Final = RetrySchedule((30, 120, 600, 3600))


def create_work(channel: Channel, max_in_flight: int) -> QueueWork:
    """Create the work of sending the messages of a channel."""
    limits = QueueLimits(
        max_in_flight=max_in_flight,
        # A slow gateway is slow for all; one owner's messages leave half of its time to others.
        max_per_share=max(1, max_in_flight // 2),
        deadline_seconds=DEADLINE_SECONDS,
    )
    return QueueWork(_send_batch, limits, save=_save_outcomes, prepare=prepare_messages)


async def _send_batch(rows: Sequence[ClaimedRow]) -> Sequence[tuple[ClaimedMessage, AttemptOutcome]]:
    return [(row, await send_message(row)) for row in rows if isinstance(row, ClaimedMessage)]


async def _save_outcomes(results: Sequence[tuple[ClaimedMessage, AttemptOutcome]]) -> None:
    for claimed, outcome in results:
        erases = claimed.is_secret and outcome.status is not MessageStatus.PENDING and not settings.is_development()
        if await record_attempt(claimed, outcome, erases=erases):
            _log_outcome(claimed, outcome)


async def send_message(claimed: ClaimedMessage) -> AttemptOutcome:
    """Send a message by its channel's transport. Errors become the outcome and are never raised."""
    moment = clock.now()
    if claimed.expires_at is not None and claimed.expires_at <= moment:
        return AttemptOutcome(MessageStatus.UNDELIVERABLE, moment, error="Expired before it could be sent.")
    try:
        if claimed.message.channel == "sms" and await opt_outs.is_opted_out(claimed.owner_id, claimed.message.to):
            return AttemptOutcome(MessageStatus.OPTED_OUT, moment, error="The guest answered STOP.")
        transport = await find_transport(claimed.message)
    except UNAVAILABLE as failure:
        return _schedule_retry(claimed, AttemptOutcome(MessageStatus.PENDING, moment, error=str(failure)), 0.0)
    if transport is None:
        error = f"No transport is configured for {claimed.message.channel}."
        return AttemptOutcome(MessageStatus.UNDELIVERABLE, moment, error=error)
    started = time.perf_counter()
    status, reason = await _send_by_transport(transport, claimed)
    spent = time.perf_counter() - started
    outcome = AttemptOutcome(status, moment, transport.name, reason, duration_ms=round(spent * 1000))
    return _schedule_retry(claimed, outcome, spent) if status is MessageStatus.PENDING else outcome


def _schedule_retry(claimed: ClaimedMessage, outcome: AttemptOutcome, spent_seconds: float) -> AttemptOutcome:
    failed_at = outcome.attempted_at + timedelta(seconds=spent_seconds)
    later = get_next_attempt_at(claimed.attempt, failed_at, claimed.expires_at)
    status = MessageStatus.PENDING if later else MessageStatus.UNDELIVERABLE
    return replace(outcome, status=status, next_attempt_at=later)


async def send_test_message(channel: Channel, address: str) -> AttemptOutcome:
    """Send a message to an operator at once, beside the queue, so that it is stored nowhere.

    Raises ``ValidationFailed`` for what is no address of the channel.
    """
    message = normalize_message(OutgoingMessage(channel, address, TEST_TEXT, TEST_SUBJECT, id=f"test-{uuid4().hex}"))
    moment = clock.now()
    return await send_message(
        ClaimedMessage(
            id=0, owner_id=0, attempt=1, due_at=moment, leased_until=moment, purpose="test", message=message,
            is_secret=False, expires_at=None,
        )
    )  # fmt: skip


async def find_transport(message: OutgoingMessage) -> Transport | None:
    """Return the transport that currently carries a message, or None if none is configured.

    Raises ``PluginFailed``, and the errors of an unavailable database.
    """
    for transport in list_ready_transports(message.channel):
        if transport.accepts is None or await call_plugin(transport, "accepts", transport.accepts, message):
            return transport
    return None


def list_ready_transports(channel: Channel) -> list[Transport]:
    """List the transports of a channel whose settings are complete, in the order of their priority."""
    return [one for one in runtime.registry().transports if one.channel == channel and _is_ready(one)]


def _is_ready(transport: Transport) -> bool:
    try:
        return bool(run_plugin(transport, "is_ready", transport.is_ready))
    except PluginFailed:
        return False


async def _send_by_transport(transport: Transport, claimed: ClaimedMessage) -> tuple[MessageStatus, str | None]:
    try:
        async with asyncio.timeout(ATTEMPT_SECONDS):
            with plugin_context(runtime.registry().plugin_of(transport)):
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


@asynccontextmanager
async def _open_work(channel: Channel) -> AsyncIterator[QueueWork]:
    if all(transport.accepts is not None for transport in list_ready_transports(channel)):
        log.warning("notifications_channel_without_transport", channel=channel)
    yield create_work(channel, settings.get_settings().max_in_flight)


QUEUES: Final = tuple(
    LeasedQueue(get_queue_name(channel), TABLES[channel], partial(_open_work, channel), DEAD_LETTERS)
    for channel in CHANNELS
)


def get_next_attempt_at(attempt: int, now: datetime, expires_at: datetime | None) -> datetime | None:
    """Return the time of the attempt after attempt number ``attempt``, from 1, or None.

    There is none after the last attempt, nor at or after ``expires_at``.
    """
    delay = RETRIES.get_delay(attempt)
    if delay is None:
        return None
    moment = now + delay
    return None if expires_at is not None and moment >= expires_at else moment
