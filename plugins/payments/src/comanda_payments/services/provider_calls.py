"""Calls of payment providers, which belong to other plugins: with a deadline, and with results of the right types."""

from dataclasses import dataclass

from comanda.contracts import ChargeRequest, PaymentMethod, PaymentProvider, ProviderOutcome, StartedPayment
from comanda.platform import PluginFailed, call_plugin, check_result, run_plugin


@dataclass(frozen=True, slots=True)
class CheckedProvider:
    """A provider whose failures are logged and counted with its plugin's name, and raise ``PluginFailed``."""

    method: PaymentMethod
    provider: PaymentProvider

    def is_ready(self) -> bool:
        """Return whether it is configured; one that fails is not."""
        try:
            return bool(run_plugin(self.method, "is_ready", self.provider.is_ready))
        except PluginFailed:
            return False

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Start a payment for a person to make."""
        started = await call_plugin(self.method, "start", self.provider.start, charge)
        return check_result(self.method, "start", started, StartedPayment)

    async def check(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a payment."""
        outcome = await call_plugin(self.method, "check", self.provider.check, reference)
        return check_result(self.method, "check", outcome, ProviderOutcome)

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Cancel a payment unless it was made, and return its outcome."""
        outcome = await call_plugin(self.method, "cancel", self.provider.cancel, reference)
        return check_result(self.method, "cancel", outcome, ProviderOutcome)

    async def refund(self, key: str, payment: str, amount_minor: int, currency: str) -> ProviderOutcome:
        """Refund part or all of a payment."""
        outcome = await call_plugin(self.method, "refund", self.provider.refund, key, payment, amount_minor, currency)
        return check_result(self.method, "refund", outcome, ProviderOutcome)

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""
        outcome = await call_plugin(self.method, "check_refund", self.provider.check_refund, reference)
        return check_result(self.method, "check_refund", outcome, ProviderOutcome)
