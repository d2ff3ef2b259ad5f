"""Calls of payment providers, which belong to other plugins: with a deadline, and with results of the right types."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from comanda.contracts import (
    AccountPage,
    AccountReport,
    AccountStatus,
    CardReader,
    CardReaders,
    ChargeRequest,
    DisputeReport,
    PaymentAccount,
    PaymentDeclined,
    PaymentMethod,
    PaymentProvider,
    PaymentReport,
    PayoutPart,
    PayoutReport,
    ProviderOutcome,
    ProviderSetup,
    RefundReport,
    RefundRequest,
    StartedPayment,
    WebhookReport,
    WebhookRequest,
)
from comanda.platform import PluginFailed, call_plugin, check_result, run_plugin, runtime

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AccountCalls:
    """The steps of a provider for one account; a failure is logged with its plugin's name, as ``PluginFailed``."""

    method: PaymentMethod
    provider: PaymentProvider
    account: PaymentAccount

    async def check_account(self) -> AccountStatus:
        """Return the state of the account."""
        return await self._call(AccountStatus, self.provider.check_account)

    async def open_account_page(self, return_url: str) -> AccountPage:
        """Return the page on which the owner completes the account."""
        return await self._call(AccountPage, self.provider.open_account_page, return_url)

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Start a payment for a person to make."""
        return await self._call(StartedPayment, self.provider.start, charge)

    async def check(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a payment."""
        return await self._call(ProviderOutcome, self.provider.check, reference)

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Cancel a payment unless it was made, and return its outcome."""
        return await self._call(ProviderOutcome, self.provider.cancel, reference)

    async def refund(self, refund: RefundRequest) -> ProviderOutcome:
        """Refund part or all of a payment."""
        return await self._call(ProviderOutcome, self.provider.refund, refund)

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""
        return await self._call(ProviderOutcome, self.provider.check_refund, reference)

    async def list_readers(self) -> list[CardReader]:
        """Return the card readers of the account, none if it cannot have any."""
        if (readers := self.method.readers) is None:
            return []
        found = await call_plugin(self.method, "list_readers", readers.list_readers, self.account)
        return [check_result(self.method, "list_readers", each, CardReader) for each in found]

    async def register_reader(self, code: str, name: str) -> CardReader:
        """Register a card reader."""
        return await self._call(CardReader, self._readers.register_reader, code, name)

    async def rename_reader(self, reference: str, name: str) -> CardReader:
        """Rename a card reader."""
        return await self._call(CardReader, self._readers.rename_reader, reference, name)

    async def remove_reader(self, reference: str) -> None:
        """Remove a card reader."""
        await call_plugin(self.method, "remove_reader", self._readers.remove_reader, self.account, reference)

    async def list_disputes(self, since: datetime) -> list[DisputeReport]:
        """Return the disputes of the account since then, none if its provider knows none."""
        if (disputes := self.method.disputes) is None:
            return []
        found = await call_plugin(self.method, "list_disputes", disputes.list_disputes, self.account, since)
        return [check_result(self.method, "list_disputes", each, DisputeReport) for each in found]

    async def list_refunds(self, since: datetime) -> list[RefundReport]:
        """Return the refunds that were made at the provider since then, none if it does not tell them apart."""
        if (refunds := self.method.refunds) is None:
            return []
        found = await call_plugin(self.method, "list_refunds", refunds.list_refunds, self.account, since)
        return [check_result(self.method, "list_refunds", each, RefundReport) for each in found]

    async def list_payouts(self, since: datetime) -> list[PayoutReport]:
        """Return the payouts of the account since then, the oldest first, none if its provider knows none."""
        if (payouts := self.method.payouts) is None:
            return []
        found = await call_plugin(self.method, "list_payouts", payouts.list_payouts, self.account, since)
        return [check_result(self.method, "list_payouts", each, PayoutReport) for each in found]

    async def list_payout_parts(self, reference: str, limit: int) -> list[PayoutPart] | None:
        """Return what a payout is made of; None if the provider does not know it yet."""
        if (payouts := self.method.payouts) is None:
            return None
        found = await call_plugin(self.method, "list_parts", payouts.list_parts, self.account, reference, limit)
        return None if found is None else [check_result(self.method, "list_parts", each, PayoutPart) for each in found]

    @property
    def _readers(self) -> CardReaders:
        if self.method.readers is None:
            raise PaymentDeclined("This provider has no card readers.")
        return self.method.readers

    async def _call(
        self,
        kind: type[T],
        step: Callable[Concatenate[PaymentAccount, P], Awaitable[T]],
        *args: P.args,
        **options: P.kwargs,
    ) -> T:
        name = step.__name__
        result = await call_plugin(self.method, name, step, self.account, *args, **options)
        return check_result(self.method, name, result, kind)


def find_provider(code: str) -> tuple[PaymentMethod, PaymentProvider] | None:
    """Return a method with its provider; None if it is not installed, or has none."""
    method = runtime.registry().payment_methods.get(code)
    return None if method is None or method.provider is None else (method, method.provider)


def open_calls(account: PaymentAccount) -> AccountCalls | None:
    """Return the calls for an account, or None if its provider is not installed."""
    found = find_provider(account.provider)
    return None if found is None else AccountCalls(*found, account)


def get_setup(code: str) -> ProviderSetup | None:
    """Return how owners get an account at a provider; one that fails cannot be used."""
    if (found := find_provider(code)) is None:
        return None
    method, provider = found
    try:
        setup = run_plugin(method, "get_setup", provider.get_setup)
        return None if setup is None else check_result(method, "get_setup", setup, ProviderSetup)
    except PluginFailed:
        return None


async def verify_webhook(
    method: PaymentMethod, provider: PaymentProvider, account: PaymentAccount | None, webhook: WebhookRequest
) -> Sequence[WebhookReport]:
    """Return what a webhook reports. Raises like the provider's step."""
    reports = await call_plugin(method, "verify_webhook", provider.verify_webhook, account, webhook)
    kinds = PaymentReport | AccountReport | DisputeReport | PayoutReport | RefundReport
    return [check_result(method, "verify_webhook", report, kinds) for report in reports]  # type: ignore[arg-type] # mypy has no type for a union of classes
