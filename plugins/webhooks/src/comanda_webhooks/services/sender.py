"""Sending deliveries: a few at a time to each endpoint and for each owner, so that a slow receiver delays no other."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import structlog
from comanda.basics import clock
from comanda.contracts import ClaimedRow, LeasedQueue, QueueLimits, QueueWork
from comanda.platform.encryption import DecryptionFailed

from comanda_webhooks import settings
from comanda_webhooks.client import TIMEOUT_SECONDS, HttpReceiver, Receiver, ReceiverResponse
from comanda_webhooks.services.attempt_results import AttemptResult, save_results
from comanda_webhooks.services.claims import DELIVERIES, ClaimedDelivery, prepare_deliveries
from comanda_webhooks.services.dead_letters import DEAD_LETTERS
from comanda_webhooks.services.delivery_queue import SENDER_CHANNEL
from comanda_webhooks.services.signatures import to_signed_headers
from comanda_webhooks.services.visibility import redact_body

log = structlog.get_logger(__name__)

MAX_PER_ENDPOINT: Final = 4
# An endpoint that keeps failing gets one connection, so that many dead receivers cannot use up the process's limit.
MIN_FAILURES: Final = 5
MAX_CLAIMED_AHEAD: Final = 512
# Results are not urgent: waiting for a moment combines dozens of them into one statement.
SAVE_DELAY_SECONDS: Final = 0.1
KEY_MISSING_ERROR: Final = "The signing secret cannot be read: its encryption key is missing. Rotate the secret."


def create_work(receiver: Receiver, max_in_flight: int = 400, max_per_owner: int = 40) -> QueueWork:
    """Create the work of sending through ``receiver``."""

    async def send(rows: Sequence[ClaimedRow]) -> Sequence[AttemptResult]:
        return [await _send(receiver, row) for row in rows if isinstance(row, ClaimedDelivery)]

    limits = QueueLimits(
        max_in_flight=max_in_flight,
        max_per_owner=max_per_owner,
        max_per_share=MAX_PER_ENDPOINT,
        max_claimed_ahead=MAX_CLAIMED_AHEAD,
        # The receiver has its own limit, after which the attempt has failed.
        deadline_seconds=TIMEOUT_SECONDS + 1,
        save_delay_seconds=SAVE_DELAY_SECONDS,
    )
    return QueueWork(send, limits, save=save_results, prepare=prepare_deliveries, get_concurrency=_get_concurrency)


def _get_concurrency(row: ClaimedRow) -> int:
    is_failing = isinstance(row, ClaimedDelivery) and row.endpoint.failure_count >= MIN_FAILURES
    return 1 if is_failing else MAX_PER_ENDPOINT


async def _send(receiver: Receiver, claimed: ClaimedDelivery) -> AttemptResult:
    """Make an attempt. Errors become its result and are never raised."""
    moment, endpoint = clock.now(), claimed.endpoint
    try:
        body = redact_body(claimed.event, claimed.body, endpoint.scopes)
        secrets = endpoint.signing_secrets.get_valid(moment)
        signed = to_signed_headers(claimed.message_id, moment, claimed.event, body, secrets)
        response = await receiver.post(endpoint.url, signed, body)
    except DecryptionFailed as error:
        log.error("webhook_secret_unreadable", endpoint_id=endpoint.id, error=str(error))
        response = ReceiverResponse(None, "", KEY_MISSING_ERROR, None, 0)
    except Exception:
        # An error on our side must count as an attempt, or it would be retried forever.
        log.exception("webhook_attempt_broke", delivery_id=claimed.id)
        response = ReceiverResponse(None, "", "The attempt could not be made.", None, 0)
    return AttemptResult(claimed, moment, response)


@asynccontextmanager
async def _open_work() -> AsyncIterator[QueueWork]:
    found = settings.get_settings()
    async with HttpReceiver(allowed=settings.get_allowed_targets()) as receiver:
        yield create_work(receiver, found.max_in_flight, found.max_in_flight_per_owner)


QUEUE: Final = LeasedQueue(SENDER_CHANNEL, DELIVERIES, _open_work, DEAD_LETTERS)
