"""Webhooks of payment providers: each is about the payments of one account, and of no other."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import NotFound, require_found
from comanda.contracts import (
    AccountReport,
    DisputeReport,
    PaymentAccount,
    PaymentReport,
    PayoutReport,
    ProviderState,
    RefundReport,
    WebhookRequest,
)
from comanda.platform.db import sql

from comanda_payments.services.accounts import account_checks, payment_accounts, payouts
from comanda_payments.services.accounts.account_rows import SELECT_ACCOUNT, parse_account_ref, to_account
from comanda_payments.services.providers import disputes, hosted_payments, provider_calls, reported_refunds

ACCOUNT_KEY_PREFIX: Final = "account-"


async def handle_webhook(provider_code: str, account_ref: str | None, headers: Mapping[str, str], body: bytes) -> None:
    """Record what a provider reports; what it does not speak for stays as it is.

    Without ``account_ref``, it is about the operator's account and those that are connected to it. Raises ``NotFound``
    for an unknown provider or account, and what the provider raises.
    """
    found = require_found(provider_calls.find_provider(provider_code))
    account = None if account_ref is None else await _load_account(provider_code, account_ref)
    for report in await provider_calls.verify_webhook(*found, account, WebhookRequest(headers, body)):
        if isinstance(report, PaymentReport):
            await _record_payment(provider_code, account, report)
        elif isinstance(report, DisputeReport):
            await _record_dispute(provider_code, account, report)
        elif isinstance(report, RefundReport):
            await _record_refund(provider_code, account, report)
        elif isinstance(report, PayoutReport):
            await _record_payout(provider_code, account, report)
        else:
            await _check_account(provider_code, account, report)


async def _load_account(provider: str, account_ref: object) -> PaymentAccount:
    found = parse_account_ref(account_ref)
    row = None if found is None else await sql.fetch_one(SELECT_ACCOUNT, found[1], found[0])
    if row is None or row["provider"] != provider:
        raise NotFound
    return to_account(row, with_credentials=True)


async def _record_payment(provider: str, account: PaymentAccount | None, report: PaymentReport) -> None:
    """Record an outcome once. It may arrive repeatedly, before the answer of ``start`` and after a check."""
    found = hosted_payments.parse_provider_key(report.key)
    payment = None if found is None else await hosted_payments.find_payment(*found)
    if payment is None or payment["method"] != provider:
        return
    if payment["gateway_reference"] not in (None, report.reference):
        return
    if not await _speaks_for(account, report.external_id, payment["owner_id"], payment["payment_account_id"]):
        return
    if report.outcome.state is not ProviderState.PENDING:
        await hosted_payments.record_outcome(payment["owner_id"], payment["id"], report.outcome)


async def _record_dispute(provider: str, account: PaymentAccount | None, report: DisputeReport) -> None:
    """Record a state of a dispute. That of a payment that is not booked yet is left to the check of its account."""
    for payment in await disputes.find_payments(provider, report.payment):
        if await _speaks_for(account, report.external_id, payment["owner_id"], payment["payment_account_id"]):
            await disputes.record_dispute(payment, report)


async def _record_refund(provider: str, account: PaymentAccount | None, report: RefundReport) -> None:
    """Record a refund that was made at the provider; like a dispute, of a payment that is booked."""
    for payment in await disputes.find_payments(provider, report.payment):
        if await _speaks_for(account, report.external_id, payment["owner_id"], payment["payment_account_id"]):
            await reported_refunds.record_refund(payment, report)


async def _record_payout(provider: str, account: PaymentAccount | None, report: PayoutReport) -> None:
    """Record a state of a payout of the account, or of those that a shared webhook names; not of the operator's own."""
    accounts = [account] if account is not None else []
    if account is None and report.external_id is not None:
        accounts = await payment_accounts.find_connected_accounts(provider, report.external_id)
    for each in accounts:
        if each.id is not None and await _speaks_for(account, report.external_id, each.owner_id, each.id):
            await payouts.record_reported_payout(each, report)


async def _check_account(provider: str, account: PaymentAccount | None, report: AccountReport) -> None:
    """Ask the provider for the state of the account. What the webhook says of it does not count."""
    if account is None and isinstance(report.key, str) and report.key.startswith(ACCOUNT_KEY_PREFIX):
        found = parse_account_ref(report.key.removeprefix(ACCOUNT_KEY_PREFIX))
    else:
        found = None if account is None or account.id is None else (account.owner_id, account.id)
    if found is not None and await _speaks_for(account, report.external_id, *found, provider=provider):
        await account_checks.check_account(*found)


async def _speaks_for(
    account: PaymentAccount | None,
    external_id: str | None,
    owner_id: int,
    account_id: int | None,
    *,
    provider: str | None = None,
) -> bool:
    """Return whether a webhook to an account's address, or to the shared one, may be about an account."""
    if account is not None:
        return (account.owner_id, account.id) == (owner_id, account_id) and external_id in (None, account.external_id)
    if account_id is None:
        # The operator's own account is not named.
        return external_id is None
    row = await sql.fetch_one(SELECT_ACCOUNT, account_id, owner_id)
    if row is None or (provider is not None and row["provider"] != provider):
        return False
    return external_id is not None and external_id == row["external_id"]
