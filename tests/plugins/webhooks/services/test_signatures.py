"""Signatures, secrets and message ids."""

import hashlib
import hmac
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta, timezone

import pytest
from comanda_webhooks.services import signatures
from standardwebhooks import Webhook, WebhookVerificationError

# The example that Standard Webhooks libraries of all languages test themselves with.
PUBLISHED_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


PUBLISHED_ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"


PUBLISHED_SENT_AT = datetime.fromtimestamp(1614265330, UTC)


PUBLISHED_BODY = b'{"test": 2432232314}'


PUBLISHED_SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


BODY = '{"event":"order.created","data":{"total":"12.50","note":"crème brûlée"}}'.encode()


def signed(*secrets: str, sent_at: datetime | None = None) -> dict[str, str]:
    return signatures.to_signed_headers("msg_1", sent_at or datetime.now(UTC), "order.created", BODY, secrets)


def test_published_example_gives_published_signature() -> None:
    headers = signatures.to_signed_headers(PUBLISHED_ID, PUBLISHED_SENT_AT, "ping", PUBLISHED_BODY, [PUBLISHED_SECRET])

    assert headers == {
        "webhook-id": PUBLISHED_ID,
        "webhook-timestamp": "1614265330",
        "webhook-signature": PUBLISHED_SIGNATURE,
        "X-Webhook-Event": "ping",
        "X-Webhook-Signature": hmac.new(PUBLISHED_SECRET.encode(), PUBLISHED_BODY, hashlib.sha256).hexdigest(),
    }


def test_signature_covers_id_timestamp_and_body() -> None:
    secret = signatures.generate_secret()
    headers = signed(secret)

    key = b64decode(secret.removeprefix("whsec_"))
    text = b"msg_1." + headers["webhook-timestamp"].encode() + b"." + BODY
    assert headers["webhook-signature"] == "v1," + b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def test_legacy_signature_covers_body_with_whole_secret() -> None:
    current, old = signatures.generate_secret(), signatures.generate_secret()

    expected = hmac.new(current.encode(), BODY, hashlib.sha256).hexdigest()
    assert signed(current, old)["X-Webhook-Signature"] == expected


def test_standard_library_verifies_delivery() -> None:
    secret = signatures.generate_secret()
    headers = signed(secret)

    assert Webhook(secret).verify(BODY, headers)["data"]["total"] == "12.50"
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY.replace(b"12.50", b"99.50"), headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(signatures.generate_secret()).verify(BODY, headers)


def test_both_secrets_sign_after_rotation_current_first() -> None:
    current, old = signatures.generate_secret(), signatures.generate_secret()
    sent_at = datetime.now(UTC)
    headers = signed(current, old, sent_at=sent_at)

    assert Webhook(current).verify(BODY, headers)
    assert Webhook(old).verify(BODY, headers)
    first, second = headers["webhook-signature"].split(" ")
    assert first == signed(current, sent_at=sent_at)["webhook-signature"]
    assert second == signed(old, sent_at=sent_at)["webhook-signature"]


def test_time_zone_does_not_change_signature() -> None:
    secret = signatures.generate_secret()
    sent_at = datetime.now(UTC)

    assert signed(secret, sent_at=sent_at.astimezone(timezone(timedelta(hours=9)))) == signed(secret, sent_at=sent_at)


def test_missing_time_zone_or_secret_raises() -> None:
    with pytest.raises(ValueError, match="time zone"):
        signed(signatures.generate_secret(), sent_at=datetime.now(UTC).replace(tzinfo=None))
    with pytest.raises(ValueError, match="secret"):
        signed()


def test_message_id_is_stable_per_event_and_endpoint():
    moment = datetime(2026, 3, 14, 19, 2, 11, 5, tzinfo=UTC)
    elsewhere = moment.astimezone(timezone(timedelta(hours=9)))

    made = signatures.derive_message_id(7, moment, 3)

    assert made == signatures.derive_message_id(7, elsewhere, 3) == "msg_" + made.removeprefix("msg_")
    assert len(made) == 36
    others = [(8, moment, 3), (7, moment + timedelta(microseconds=1), 3), (7, moment, 4), (73, moment, 7)]
    assert made not in {signatures.derive_message_id(*other) for other in others}


def test_secrets_and_message_ids_are_unique() -> None:
    secrets = {signatures.generate_secret() for _ in range(200)}
    ids = {signatures.generate_message_id() for _ in range(200)}

    assert len(secrets) == len(ids) == 200
    assert all(len(b64decode(secret.removeprefix("whsec_"), validate=True)) == 32 for secret in secrets)
    assert all(id.startswith("msg_") and len(id) == 36 and "." not in id for id in ids)
