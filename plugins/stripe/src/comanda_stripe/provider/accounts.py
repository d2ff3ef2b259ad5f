"""Accounts at Stripe: what is missing of them, their webhooks, and the page on which an owner completes one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import structlog
from comanda.basics import LazyModule
from comanda.contracts import (
    AccountCapability,
    AccountMode,
    AccountPage,
    AccountState,
    AccountStatus,
    PaymentAccount,
    PaymentDeclined,
)
from comanda.web import N_

from comanda_stripe.client import KEY_FIELD, is_connected, open_client

if TYPE_CHECKING:
    import stripe
else:
    stripe = LazyModule("stripe")

log = structlog.get_logger(__name__)

WEBHOOK_CREDENTIAL: Final = "webhook_secret"
ACCOUNT_KEY: Final = "comanda_account"
WEBHOOK_EVENTS: Final = (
    "checkout.session.completed",
    "checkout.session.expired",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "payment_intent.succeeded",
    "payment_intent.canceled",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "payout.created",
    "payout.paid",
    "payout.failed",
    "payout.canceled",
    "payout.reconciliation_completed",
    "account.updated",
)
LENT_CAPABILITIES: Final = frozenset(
    {AccountCapability.ONLINE, AccountCapability.REFUNDS, AccountCapability.PLATFORM_FEE}
)
# Readers belong to an account. Those of the operator's are no matter of the owners that it is lent to.
OWN_CAPABILITIES: Final = frozenset({AccountCapability.ONLINE, AccountCapability.IN_PERSON, AccountCapability.REFUNDS})
CONNECTED_CAPABILITIES: Final = OWN_CAPABILITIES | {AccountCapability.PLATFORM_FEE}
UNKNOWN_KEY: Final = N_("Stripe does not know this key, or it may not do enough.")
NOT_RELEASED: Final = N_("Stripe has not released this account for payments yet.")
DISCONNECTED: Final = N_("Disconnected at Stripe.")
MAX_NAMED_REQUIREMENTS: Final = 8


def get_mode(key: str) -> AccountMode:
    """Return whether a key moves money."""
    return AccountMode.TEST if "_test_" in key else AccountMode.LIVE


def get_operator_status(key: str) -> AccountStatus:
    """Return the state of the operator's account, which its key stands for."""
    return AccountStatus(AccountState.READY, get_mode(key), LENT_CAPABILITIES)


async def check_account(account: PaymentAccount, operator_key: str | None) -> AccountStatus:
    """Return the state of an account; the first time, create the webhook endpoint of one with a key of its own."""
    if not is_connected(account):
        return await _check_own_account(account)
    mode = get_mode(operator_key or "")
    if account.external_id is None:
        return AccountStatus(AccountState.PENDING, mode, reason=account.reason)
    try:
        async with open_client(account, as_operator=True) as client:
            found = await client.v1.accounts.retrieve_async(account.external_id)
    except (PaymentDeclined, stripe.PermissionError):
        return AccountStatus(AccountState.REVOKED, mode, reason=DISCONNECTED)
    return _to_status(found.to_dict(), mode, CONNECTED_CAPABILITIES)


async def open_account_page(account: PaymentAccount, return_url: str) -> AccountPage:
    """Open an account that is connected to the operator's, once, and return the page on which it is completed."""
    async with open_client(account, as_operator=True) as client:
        external_id = account.external_id
        if external_id is None:
            opened = await client.v1.accounts.create_async(
                {"type": "standard", "metadata": {ACCOUNT_KEY: account.key}}, {"idempotency_key": account.key}
            )
            external_id = opened.id
        link = await client.v1.account_links.create_async(
            {
                "account": external_id, "type": "account_onboarding",
                "refresh_url": return_url, "return_url": return_url,
            }
        )  # fmt: skip
    return AccountPage(link.url, external_id)


async def _check_own_account(account: PaymentAccount) -> AccountStatus:
    mode = get_mode(account.credentials[KEY_FIELD])
    try:
        async with open_client(account) as client:
            found = await client.v1.accounts.retrieve_current_async()
            status = _to_status(found.to_dict(), mode, OWN_CAPABILITIES)
            if WEBHOOK_CREDENTIAL in account.credentials:
                return status
            secret = await _create_webhook_endpoint(client, account)
    except (stripe.AuthenticationError, stripe.PermissionError) as refusal:
        raise PaymentDeclined(UNKNOWN_KEY) from refusal
    if secret is None:
        return status
    return replace(status, credentials={**account.credentials, WEBHOOK_CREDENTIAL: secret})


async def _create_webhook_endpoint(client: "stripe.StripeClient", account: PaymentAccount) -> str | None:
    """Return the secret of a new endpoint; None where Stripe cannot reach this server, which then asks instead."""
    try:
        endpoint = await client.v1.webhook_endpoints.create_async(
            {"url": account.webhook_url, "enabled_events": list(WEBHOOK_EVENTS)},
            {"idempotency_key": f"{account.key}-webhook"},
        )
    except (stripe.InvalidRequestError, stripe.PermissionError) as refusal:
        log.info("stripe_webhook_not_created", account=account.key, reason=refusal.user_message)
        return None
    return endpoint.secret


def _to_status(
    found: Mapping[str, Any], mode: AccountMode, capabilities: frozenset[AccountCapability]
) -> AccountStatus:
    requirements = found.get("requirements") or {}
    external_id = found.get("id")
    if found.get("charges_enabled"):
        return AccountStatus(AccountState.READY, mode, capabilities, _describe(requirements), external_id)
    state = AccountState.RESTRICTED if found.get("details_submitted") else AccountState.PENDING
    reason = _describe(requirements) or NOT_RELEASED
    return AccountStatus(state, mode, capabilities, reason, external_id)


def _describe(requirements: Mapping[str, Any]) -> str | None:
    """Return in words what Stripe asks for: its own sentences, else the names of what is due."""
    sentences = [str(error["reason"]) for error in requirements.get("errors") or () if error.get("reason")]
    if sentences:
        return " ".join(dict.fromkeys(sentences))
    due = [str(name).replace("_", " ").replace(".", ": ") for name in requirements.get("currently_due") or ()]
    return f"Missing at Stripe: {', '.join(due[:MAX_NAMED_REQUIREMENTS])}." if due else None
