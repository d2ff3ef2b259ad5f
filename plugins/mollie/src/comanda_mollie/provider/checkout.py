"""The provider of the method ``mollie``: hosted checkout, and refunds.

What creates something has an idempotency key. Mollie forgets that after an hour: what was begun earlier is looked for.
"""

import ipaddress
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from comanda.basics import LazyModule, clock
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

from comanda_mollie.client import KEY_FIELD, MAX_PER_PAGE, ORGANIZATION_FIELD, get_next_page, open_client
from comanda_mollie.provider import accounts, terminals, webhooks
from comanda_mollie.provider.outcomes import (
    KEY_NAME,
    REFERENCE_SEPARATOR,
    create_amount,
    get_key,
    to_moment,
    to_outcome,
    to_refund_outcome,
)
from comanda_mollie.settings import get_settings

if TYPE_CHECKING:
    import mollie
else:
    mollie = LazyModule("mollie")

FIELDS: Final = (
    AccountField(KEY_FIELD, N_("API key"), N_("In Mollie: Developers, API keys. It begins with live_ or test_.")),
    AccountField(
        ORGANIZATION_FIELD,
        N_("Organization access token"),
        N_("Shows payouts here. In Mollie: Developers, Organization access tokens, with the right settlements.read."),
        is_required=False,
    ),
)
# Longer than a charge waits for its payer, with what clocks may differ by.
MAX_CHARGE_AGE: Final = timedelta(hours=2)
MAX_DESCRIPTION_LENGTH: Final = 255
TOO_LATE: Final = "The time to pay was over."


class MollieProvider:
    """Mollie's hosted checkout, with accounts by their own keys, or the operator's itself."""

    def get_setup(self) -> ProviderSetup:
        """Return that owners enter the key of a profile, and the operator's account if there is one."""
        key = get_settings().api_key
        operator = None if key is None else accounts.get_operator_status(key.get_secret_value())
        return ProviderSetup("Mollie", fields=FIELDS, operator=operator)

    async def check_account(self, account: PaymentAccount) -> AccountStatus:
        """Return the state of an account."""
        return await accounts.check_account(account)

    async def open_account_page(self, account: PaymentAccount, return_url: str) -> AccountPage:
        """Raise ``PaymentDeclined``: accounts are connected by their keys."""
        raise PaymentDeclined("Accounts at Mollie are connected by their keys.")

    async def start(self, account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
        """Create a payment for a page or a terminal. Of one whose payer has left, return the reference."""
        async with open_client(account) as client:
            if charge.expires_at <= clock.now():
                if (reference := await _find_payment(client, charge)) is None:
                    raise PaymentDeclined(TOO_LATE)
                return StartedPayment(reference, expires_at=charge.expires_at)
            if charge.reader is not None:
                await terminals.check_terminal(client, charge.reader)
            made = await client.payments.create_async(
                # The first moment of a charge never changes, and is another one after a database was created anew.
                idempotency_key=_create_key(charge.key, charge.expires_at.isoformat()),
                payment_request=_create_payment_request(account, charge),
            )
        page = made.links.checkout
        return StartedPayment(made.id, page.href if page else None, expires_at=charge.expires_at)

    async def check(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        async with open_client(account) as client:
            return to_outcome(await client.payments.get_async(payment_id=reference))

    async def cancel(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Cancel a payment if Mollie lets us: some methods leave it open until it expires."""
        try:
            async with open_client(account) as client:
                return to_outcome(await client.payments.cancel_async(payment_id=reference))
        except PaymentDeclined:
            return await self.check(account, reference)

    async def refund(self, account: PaymentAccount, refund: RefundRequest) -> ProviderOutcome:
        """Create a refund of a payment, unless an earlier attempt has."""
        async with open_client(account) as client:
            found = await _find_refund(client, refund)
            if found is not None:
                return found
            made = await client.refunds.create_async(
                payment_id=refund.payment,
                idempotency_key=_create_key(refund.key, refund.payment),
                refund_request={
                    "amount": create_amount(refund.amount_minor, refund.currency),
                    "metadata": {KEY_NAME: refund.key},
                },
            )
        return to_refund_outcome(made)

    async def check_refund(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        payment_id, _, refund_id = reference.partition(REFERENCE_SEPARATOR)
        async with open_client(account) as client:
            return to_refund_outcome(await client.refunds.get_async(payment_id=payment_id, refund_id=refund_id))

    async def verify_webhook(self, account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
        """Return what Mollie says of the payment that a webhook names."""
        return await webhooks.verify_webhook(account, webhook)


def _create_key(*parts: str) -> str:
    """Return an idempotency key, of which Mollie wants UUIDs. It names no address, since ours may change meanwhile."""
    return str(uuid5(NAMESPACE_URL, "#".join(parts)))


def _create_payment_request(account: PaymentAccount, charge: ChargeRequest) -> "mollie.PaymentRequestTypedDict":
    request: mollie.PaymentRequestTypedDict = {
        "amount": create_amount(charge.amount_minor, charge.currency),
        "description": charge.description[:MAX_DESCRIPTION_LENGTH],
        "redirect_url": charge.return_url,
        "metadata": {KEY_NAME: charge.key},
    }
    # Mollie refuses addresses that it cannot reach, as at home: such payments are asked for instead.
    if _is_public(account.webhook_url):
        request["webhook_url"] = account.webhook_url
    if charge.reader is not None:
        request |= {"method": mollie.MethodEnum.POINTOFSALE, "terminal_id": charge.reader}
    return request


def _is_public(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host


async def _find_payment(client: "mollie.ClientSDK", charge: ChargeRequest) -> str | None:
    """Return the payment that an earlier attempt has created."""
    began_at = charge.expires_at - MAX_CHARGE_AGE
    page = await client.payments.list_async(limit=MAX_PER_PAGE)
    while page is not None:
        for payment in page.result.embedded.payments or ():
            if get_key(payment.metadata) == charge.key:
                return payment.id
            if to_moment(payment.created_at) < began_at:
                return None
        page = await get_next_page(page)
    return None


async def _find_refund(client: "mollie.ClientSDK", refund: RefundRequest) -> ProviderOutcome | None:
    """Return the outcome of the refund that an earlier attempt has created."""
    page = await client.refunds.list_async(payment_id=refund.payment, limit=MAX_PER_PAGE)
    while page is not None:
        for found in page.result.embedded.refunds or ():
            if get_key(found.metadata) == refund.key:
                return to_refund_outcome(found)
        page = await get_next_page(page)
    return None
