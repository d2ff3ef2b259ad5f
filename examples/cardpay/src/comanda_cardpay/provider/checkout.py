"""The provider of the method ``cardpay``, which collects a payment on a page of its own."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from urllib.parse import quote

from comanda.contracts import (
    AccountCapability,
    AccountField,
    AccountMode,
    AccountPage,
    AccountState,
    AccountStatus,
    ChargeRequest,
    PaymentAccount,
    PaymentDeclined,
    ProviderOutcome,
    ProviderSetup,
    RefundRequest,
    StartedPayment,
    WebhookReport,
    WebhookRequest,
)
from comanda.stores import get_store_settings

from comanda_cardpay.client import send_request
from comanda_cardpay.provider import callbacks
from comanda_cardpay.provider.outcomes import to_outcome
from comanda_cardpay.settings import get_settings
from comanda_cardpay.store_settings import CardPayStoreSettings

MERCHANT: Final = AccountField("merchant", "Merchant number", "From your contract with CardPay.", is_secret=False)
CAPABILITIES: Final = frozenset({AccountCapability.ONLINE, AccountCapability.REFUNDS, AccountCapability.PLATFORM_FEE})


class CardPay:
    """The provider of the method ``cardpay``. An account is a merchant number; the key is the operator's."""

    def get_setup(self) -> ProviderSetup | None:
        """Return that owners enter their merchant number; None without the operator's key."""
        return None if get_settings().api_key is None else ProviderSetup("CardPay", fields=(MERCHANT,))

    async def check_account(self, account: PaymentAccount) -> AccountStatus:
        """Return whether CardPay takes payments for the merchant. Raises ``PaymentDeclined`` for an unknown number."""
        merchant = account.credentials[MERCHANT.name]
        found = await send_request("GET", f"/v1/merchants/{quote(merchant, safe='')}")
        state = AccountState.READY if found["is_open"] else AccountState.RESTRICTED
        return AccountStatus(state, AccountMode(found["mode"]), CAPABILITIES, found.get("reason"), external_id=merchant)

    async def open_account_page(self, account: PaymentAccount, return_url: str) -> AccountPage:
        """Refuse: contracts with CardPay are made on paper."""
        raise PaymentDeclined("A contract with CardPay is made on paper.")

    async def start(self, account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
        """Create a page for a payment to the merchant, of which CardPay withholds the operator's fee."""
        store = await get_store_settings(CardPayStoreSettings, account.owner_id, charge.store_id)
        page = await send_request(
            "POST",
            "/v1/pages",
            {
                "key": charge.key,
                "merchant": account.external_id,
                "amount": charge.amount_minor,
                "fee": charge.fee_minor,
                "currency": charge.currency,
                "text": store.statement_text or charge.description,
                "return_url": charge.return_url,
                "expires_at": charge.expires_at.isoformat(),
            },
        )
        return StartedPayment(page["id"], page["url"], expires_at=datetime.fromisoformat(page["expires_at"]))

    async def check(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return the outcome of a page."""
        return to_outcome(await send_request("GET", f"/v1/pages/{reference}"))

    async def cancel(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Close a page, unless it has been paid."""
        return to_outcome(await send_request("POST", f"/v1/pages/{reference}/close"))

    async def refund(self, account: PaymentAccount, refund: RefundRequest) -> ProviderOutcome:
        """Refund part or all of a payment."""
        fields = {
            "key": refund.key,
            "payment": refund.payment,
            "amount": refund.amount_minor,
            "currency": refund.currency,
        }
        return to_outcome(await send_request("POST", "/v1/refunds", fields), reference="id")

    async def check_refund(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""
        return to_outcome(await send_request("GET", f"/v1/refunds/{reference}"), reference="id")

    async def verify_webhook(self, account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
        """Return what a callback reports of a page; CardPay has one address for all merchants."""
        return callbacks.verify_callback(webhook)
