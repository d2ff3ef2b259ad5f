"""Signatures of deliveries: secrets, message ids and the signed headers."""

import hashlib
import hmac
import secrets as randomness
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime

from standardwebhooks import Webhook

WHSEC_PREFIX = "whsec_"
SECRET_BYTES = 32


def generate_secret() -> str:
    """Return a new signing secret: ``whsec_`` and the base64 of 32 random bytes."""
    return WHSEC_PREFIX + b64encode(randomness.token_bytes(SECRET_BYTES)).decode("ascii")


def generate_message_id() -> str:
    """Return a random ``webhook-id``: ``msg_`` and 32 hex digits.

    It contains no full stop, which separates the parts of the signed text.
    """
    return "msg_" + randomness.token_hex(16)


def derive_message_id(event_id: int, occurred_at: datetime, endpoint_id: int) -> str:
    """Return the ``webhook-id`` of an event's delivery to an endpoint, which is the same every time.

    A delivery may be sent and then lost in a crash of PostgreSQL. When it is created again from its event, it must have
    the id that the receiver knows. The time is part of it because event ids may be reused after such a crash.
    """
    named = f"{event_id}:{occurred_at.astimezone(UTC).isoformat()}:{endpoint_id}"
    return "msg_" + hashlib.sha256(named.encode()).hexdigest()[:32]


def to_signed_headers(
    message_id: str, sent_at: datetime, event: str, body: bytes, secrets: Sequence[str]
) -> dict[str, str]:
    """Return the headers that identify and sign one attempt to deliver ``body``.

    ``sent_at`` is the time of this attempt, not of the event: receivers refuse what is older than five minutes.
    ``body`` must be the exact bytes sent, because re-encoded JSON does not verify. ``secrets`` are the valid ones, the
    current first; after a rotation each of them signs, so that a receiver may have either.
    Raises ``ValueError`` if ``sent_at`` has no time zone or ``secrets`` is empty.
    Source: Standard Webhooks, scheme ``v1`` (HMAC-SHA256 of id.timestamp.body, the key being the secret decoded).
    """
    if sent_at.tzinfo is None:
        raise ValueError("sent_at has no time zone")
    if not secrets:
        raise ValueError("a delivery is signed with at least one secret")
    sent_at = sent_at.astimezone(UTC)  # the library ignores the time zone and assumes UTC
    text = body.decode("utf-8")
    # The library's signer takes 3.4 µs, three lines of hmac 2.5 µs, the delivery itself some 200 µs.
    signatures = " ".join(Webhook(secret).sign(message_id, sent_at, text) for secret in secrets)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": signatures,
        "X-Webhook-Event": event,
        "X-Webhook-Signature": sign_legacy(body, secrets[0]),
    }


def sign_legacy(body: bytes, secret: str) -> str:
    """Return the hex HMAC-SHA256 of the body alone, for receivers older than Standard Webhooks.

    The key is the whole secret as shown, including ``whsec_``, as such receivers pass it to their HMAC function.
    """
    return hmac.digest(secret.encode("utf-8"), body, hashlib.sha256).hex()
