"""The provider of the method ``stripe``: hosted checkout, and refunds.

What creates something carries the key of the payment or the refund, so that it can be repeated if its answer was lost.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from comanda.contracts import (
    AccountField,
    AccountPage,
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
from comanda.web import N_

from comanda_stripe.client import KEY_FIELD, is_connected, open_client
from comanda_stripe.provider import accounts, terminal, webhooks
from comanda_stripe.provider.outcomes import to_outcome, to_refund_outcome
from comanda_stripe.settings import get_settings

if TYPE_CHECKING:
    from stripe.params.checkout import SessionCreateParams, SessionCreateParamsLineItemPriceData

FIELDS: Final = (
    AccountField(
        KEY_FIELD, N_("Secret key"), N_("In Stripe: Developers, API keys. It begins with sk_ or rk_."), is_secret=True
    ),
)


class StripeProvider:
    """Stripe Checkout, with accounts by their own keys, connected to the operator's, or the operator's itself."""

    def get_setup(self) -> ProviderSetup:
        """Return that owners enter a key or, where the operator allows it, open a connected account."""
        current = get_settings()
        key = _get_operator_key()
        return ProviderSetup(
            "Stripe",
            fields=FIELDS,
            has_account_page=current.connect and key is not None,
            operator=None if key is None else accounts.get_operator_status(key),
        )

    async def check_account(self, account: PaymentAccount) -> AccountStatus:
        """Return the state of an account."""
        return await accounts.check_account(account, _get_operator_key())

    async def open_account_page(self, account: PaymentAccount, return_url: str) -> AccountPage:
        """Return Stripe's page on which the owner completes a connected account."""
        return await accounts.open_account_page(account, return_url)

    async def start(self, account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
        """Create a checkout session, or a payment on a card reader."""
        if charge.reader is not None:
            return await terminal.start(account, charge, charge.reader)
        async with open_client(account) as client:
            params = _to_session_params(charge, fee_minor=charge.fee_minor if is_connected(account) else 0)
            session = await client.v1.checkout.sessions.create_async(params, {"idempotency_key": charge.key})
        expires_at = datetime.fromtimestamp(session.expires_at, UTC) if session.expires_at else None
        return StartedPayment(session.id, session.url, expires_at=expires_at)

    async def check(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return the outcome of a session, or of a payment on a card reader."""
        if reference.startswith(terminal.INTENT_PREFIX):
            return await terminal.check(account, reference)
        async with open_client(account) as client:
            session = await client.v1.checkout.sessions.retrieve_async(reference)
        return to_outcome(session.to_dict())

    async def cancel(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Expire a session, unless it has ended already; end a payment on a card reader."""
        if reference.startswith(terminal.INTENT_PREFIX):
            return await terminal.cancel(account, reference)
        try:
            async with open_client(account) as client:
                session = await client.v1.checkout.sessions.expire_async(reference)
        except PaymentDeclined:
            return await self.check(account, reference)
        return to_outcome(session.to_dict())

    async def refund(self, account: PaymentAccount, refund: RefundRequest) -> ProviderOutcome:
        """Create a refund of a payment intent. A fee that was withheld stays with the operator."""
        async with open_client(account) as client:
            made = await client.v1.refunds.create_async(
                {"payment_intent": refund.payment, "amount": refund.amount_minor}, {"idempotency_key": refund.key}
            )
        return to_refund_outcome(made.to_dict())

    async def check_refund(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        async with open_client(account) as client:
            found = await client.v1.refunds.retrieve_async(reference)
        return to_refund_outcome(found.to_dict())

    async def verify_webhook(self, account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
        """Return what a webhook reports, after its signature has been verified."""
        return webhooks.verify_webhook(account, webhook)


def _get_operator_key() -> str | None:
    key = get_settings().secret_key
    return None if key is None else key.get_secret_value()


def _to_session_params(charge: ChargeRequest, *, fee_minor: int) -> "SessionCreateParams":
    price: SessionCreateParamsLineItemPriceData = {
        "currency": charge.currency.lower(),
        "unit_amount": charge.amount_minor,
        "product_data": {"name": charge.description},
    }
    params: SessionCreateParams = {
        "mode": "payment",
        "client_reference_id": charge.key,
        "success_url": charge.return_url,
        "cancel_url": charge.return_url,
        "expires_at": int(charge.expires_at.timestamp()),
        "line_items": [{"quantity": 1, "price_data": price}],
    }
    if fee_minor:
        params["payment_intent_data"] = {"application_fee_amount": fee_minor}
    return params
