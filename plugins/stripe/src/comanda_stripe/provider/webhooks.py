"""Webhooks of Stripe, accepted only with a valid and recent signature by a secret of the account or the operator."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import orjson
from comanda.basics import BadRequest, LazyModule, NotFound, Unauthenticated
from comanda.contracts import (
    AccountReport,
    PaymentAccount,
    PaymentReport,
    ProviderOutcome,
    ProviderState,
    WebhookReport,
    WebhookRequest,
)

from comanda_stripe.provider.accounts import ACCOUNT_KEY, WEBHOOK_CREDENTIAL
from comanda_stripe.provider.disputes import to_dispute_report
from comanda_stripe.provider.outcomes import to_intent_outcome, to_outcome
from comanda_stripe.provider.payouts import to_payout_report
from comanda_stripe.provider.terminal import PAYMENT_KEY
from comanda_stripe.settings import get_settings

if TYPE_CHECKING:
    import stripe
else:
    stripe = LazyModule("stripe")

SIGNATURE_HEADER: Final = "stripe-signature"
TOLERANCE_SECONDS: Final = 300
SESSION_EVENT_PREFIX: Final = "checkout.session."
INTENT_EVENTS: Final = frozenset({"payment_intent.succeeded", "payment_intent.canceled"})
DISPUTE_EVENT_PREFIX: Final = "charge.dispute."
PAYOUT_EVENT_PREFIX: Final = "payout."
ACCOUNT_EVENTS: Final = frozenset({"account.updated", "account.application.deauthorized"})
# The bank refused after the checkout was complete, which the session itself does not show.
PAYMENT_FAILED_EVENT: Final = "checkout.session.async_payment_failed"
REFUSED_BY_BANK: Final = ProviderOutcome(ProviderState.FAILED, failure="The bank refused the payment.")


def verify_webhook(account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
    """Return what a webhook reports. Raises ``NotFound`` without a secret; ``Unauthenticated``; ``BadRequest``."""
    _verify_signature(_list_secrets(account), webhook)
    try:
        event = orjson.loads(webhook.body)
        kind, subject = str(event["type"]), event["data"]["object"]
        external_id = event.get("account")
        if kind.startswith(SESSION_EVENT_PREFIX):
            return [_to_report(kind, subject, external_id)]
        if kind in INTENT_EVENTS:
            # Those of a checkout have no key: their session is reported by itself.
            key = (subject.get("metadata") or {}).get(PAYMENT_KEY)
            outcome = to_intent_outcome(subject)
            return [] if key is None else [PaymentReport(key, subject.get("id"), outcome, external_id)]
        if kind.startswith(DISPUTE_EVENT_PREFIX):
            return [to_dispute_report(subject, external_id)]
        if kind.startswith(PAYOUT_EVENT_PREFIX):
            return [to_payout_report(subject, external_id)]
        if kind in ACCOUNT_EVENTS:
            metadata: Mapping[str, Any] = subject.get("metadata") or {}
            return [AccountReport(metadata.get(ACCOUNT_KEY), external_id)]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest("The webhook is not an event of Stripe.") from error
    return []


def _list_secrets(account: PaymentAccount | None) -> list[str]:
    if account is not None:
        given = account.credentials.get(WEBHOOK_CREDENTIAL, "")
    else:
        shared = get_settings().webhook_secret
        given = "" if shared is None else shared.get_secret_value()
    secrets = [secret for part in given.split(",") if (secret := part.strip())]
    if not secrets:
        raise NotFound
    return secrets


def _verify_signature(secrets: Sequence[str], webhook: WebhookRequest) -> None:
    if not any(_is_signed_with(secret, webhook) for secret in secrets):
        raise Unauthenticated("The signature of the webhook is missing, invalid or too old.")


def _is_signed_with(secret: str, webhook: WebhookRequest) -> bool:
    header = webhook.headers.get(SIGNATURE_HEADER)
    try:
        stripe.WebhookSignature.verify_header(webhook.body, header, secret, TOLERANCE_SECONDS)
    except (stripe.SignatureVerificationError, ValueError):
        return False
    return True


def _to_report(kind: str, session: Mapping[str, Any], external_id: str | None) -> PaymentReport:
    outcome = REFUSED_BY_BANK if kind == PAYMENT_FAILED_EVENT else to_outcome(session)
    return PaymentReport(session.get("client_reference_id"), session.get("id"), outcome, external_id)
