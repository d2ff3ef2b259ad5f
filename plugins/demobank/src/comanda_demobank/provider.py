"""The provider of the method ``demo``, in development only."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import (
    AccountCapability,
    AccountMode,
    AccountPage,
    AccountState,
    AccountStatus,
    ChargeRequest,
    PaymentAccount,
    PaymentDeclined,
    ProviderOutcome,
    ProviderSetup,
    ProviderState,
    RefundRequest,
    StartedPayment,
    WebhookReport,
    WebhookRequest,
)
from comanda.platform import runtime
from comanda.web import N_

from comanda_demobank.models import ChargeState
from comanda_demobank.services import charges, readers
from comanda_demobank.services.charges import DemoCharge

CAPABILITIES: Final = frozenset(
    {AccountCapability.ONLINE, AccountCapability.IN_PERSON, AccountCapability.REFUNDS, AccountCapability.PLATFORM_FEE}
)
READY: Final = AccountStatus(AccountState.READY, AccountMode.TEST, CAPABILITIES)
AWAY: Final = AccountStatus(AccountState.RESTRICTED, AccountMode.TEST, reason="The demo bank is for development only.")
FAILURES: Final = {ChargeState.DECLINED: "The bank declined the card.", ChargeState.CLOSED: "The payment was given up."}


class DemoBank:
    """A bank that is a page: the person who opens it chooses its answer."""

    def get_setup(self) -> ProviderSetup | None:
        """Return that an account needs nothing; None in production."""
        return ProviderSetup(N_("Demo bank")) if runtime.settings().development else None

    async def check_account(self, account: PaymentAccount) -> AccountStatus:
        """Return that the account is ready."""
        return READY if runtime.settings().development else AWAY

    async def open_account_page(self, account: PaymentAccount, return_url: str) -> AccountPage:
        """Refuse: there is no such page."""
        raise PaymentDeclined("An account at the demo bank is complete at once.")

    async def start(self, account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
        """Open a charge with a page, or on a reader. Raises ``PaymentDeclined`` in production."""
        settings = runtime.settings()
        if not settings.development:
            raise PaymentDeclined("The demo bank is for development only.")
        if charge.reader is not None:
            return await _start_on_reader(account, charge)
        opened = await charges.open_charge(account, charge)
        url = f"{settings.site_url}/demobank/{opened.reference}"
        return StartedPayment(opened.reference, url, expires_at=opened.expires_at)

    async def check(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return what was answered on the page."""
        return _to_outcome(await charges.get_charge(reference))

    async def cancel(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Close the page, unless it was answered."""
        return _to_outcome(await charges.answer_charge(reference, ChargeState.CLOSED))

    async def refund(self, account: PaymentAccount, refund: RefundRequest) -> ProviderOutcome:
        """Refund part or all of a charge."""
        return ProviderOutcome(ProviderState.SUCCEEDED, await charges.refund_charge(account.owner_id, refund))

    async def check_refund(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return whether a refund was made."""
        if await charges.has_refund(account.owner_id, reference):
            return ProviderOutcome(ProviderState.SUCCEEDED, reference)
        return ProviderOutcome(ProviderState.FAILED, failure="The demo bank knows no such refund.")

    async def verify_webhook(self, account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
        """Refuse: this bank sends none."""
        raise NotFound


async def _start_on_reader(account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
    # One that was started before is on the reader, whatever has become of that.
    opened = await charges.find_charge(account.owner_id, charge.key)
    if opened is None:
        found = [each for each in await readers.list_readers(account) if each.reference == charge.reader]
        if not found:
            raise PaymentDeclined("The account has no such card reader.")
        if not found[0].is_online:
            raise PaymentDeclined("The card reader is not connected.")
        opened = await charges.open_charge(account, charge)
    return StartedPayment(opened.reference, expires_at=opened.expires_at)


def _to_outcome(charge: DemoCharge) -> ProviderOutcome:
    if charge.state is ChargeState.PAID:
        return ProviderOutcome(ProviderState.SUCCEEDED, charge.reference, amount_minor=charge.amount_minor)
    if charge.is_open:
        return ProviderOutcome(ProviderState.PENDING)
    return ProviderOutcome(ProviderState.FAILED, failure=FAILURES.get(charge.state, FAILURES[ChargeState.CLOSED]))
