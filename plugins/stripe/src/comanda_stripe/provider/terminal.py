"""Stripe Terminal, driven by the server: payments on card readers, and the readers of an account.

A payment on a reader is a payment intent, which the reader is told to process. Its reference begins with ``pi_``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from comanda.basics import LazyModule, clock
from comanda.contracts import (
    CardReader,
    ChargeRequest,
    PaymentAccount,
    PaymentDeclined,
    ProviderOutcome,
    ProviderState,
    StartedPayment,
)

from comanda_stripe.client import is_connected, open_client
from comanda_stripe.provider.outcomes import to_intent_outcome

if TYPE_CHECKING:
    import stripe
    from stripe.params import PaymentIntentCreateParams
else:
    stripe = LazyModule("stripe")

INTENT_PREFIX: Final = "pi_"
# What webhooks and cancellations find in an intent: the key of the payment, and its reader.
PAYMENT_KEY: Final = "comanda_payment"
READER_KEY: Final = "comanda_reader"
MAX_READERS: Final = 100
NO_LOCATION: Final = "Create a location in Stripe first: Terminal, Locations."


class TerminalReaders:
    """Manages the readers of an account."""

    async def list_readers(self, account: PaymentAccount) -> list[CardReader]:
        async with open_client(account) as client:
            found = await client.v1.terminal.readers.list_async({"limit": MAX_READERS})
        return [_to_reader(each.to_dict()) for each in found.data]

    async def register_reader(self, account: PaymentAccount, code: str, name: str) -> CardReader:
        """Register a reader by its code, at the account's first location."""
        async with open_client(account) as client:
            locations = await client.v1.terminal.locations.list_async({"limit": 1})
            if not locations.data:
                raise PaymentDeclined(NO_LOCATION)
            made = await client.v1.terminal.readers.create_async(
                {"registration_code": code, "label": name, "location": locations.data[0].id}
            )
        return _to_reader(made.to_dict())

    async def rename_reader(self, account: PaymentAccount, reference: str, name: str) -> CardReader:
        async with open_client(account) as client:
            changed = await client.v1.terminal.readers.update_async(reference, {"label": name})
        return _to_reader(changed.to_dict())

    async def remove_reader(self, account: PaymentAccount, reference: str) -> None:
        async with open_client(account) as client:
            await client.v1.terminal.readers.delete_async(reference)


async def start(account: PaymentAccount, charge: ChargeRequest, reader: str) -> StartedPayment:
    """Create an intent, and have a reader process it. Raises ``PaymentDeclined`` once the reader cannot take it."""
    params: dict[str, Any] = {
        "amount": charge.amount_minor,
        "currency": charge.currency.lower(),
        "payment_method_types": ["card_present"],
        "capture_method": "automatic",
        "description": charge.description,
        "metadata": {PAYMENT_KEY: charge.key, READER_KEY: reader},
    }
    if charge.fee_minor and is_connected(account):
        params["application_fee_amount"] = charge.fee_minor
    async with open_client(account) as client:
        intent = await client.v1.payment_intents.create_async(
            cast("PaymentIntentCreateParams", params), {"idempotency_key": charge.key}
        )
        if charge.expires_at <= clock.now():
            # Its guest has left. Whatever the reader was told before is found by the reference, and cancelled.
            return StartedPayment(intent.id, expires_at=charge.expires_at)
        try:
            await client.v1.terminal.readers.process_payment_intent_async(
                reader, {"payment_intent": intent.id}, {"idempotency_key": f"{charge.key}-reader"}
            )
        except stripe.InvalidRequestError as refusal:
            # Of a reader that did not answer in time, nobody knows whether it asks for a card.
            if (await _cancel(client, intent.id)).state is ProviderState.FAILED:
                raise PaymentDeclined(refusal.user_message or "The card reader takes no payment now.") from refusal
    return StartedPayment(intent.id, expires_at=charge.expires_at)


async def check(account: PaymentAccount, reference: str) -> ProviderOutcome:
    """Return the outcome of an intent. One whose card was declined ends here, and the reader is free."""
    async with open_client(account) as client:
        found = (await client.v1.payment_intents.retrieve_async(reference)).to_dict()
        if found.get("status") == "requires_payment_method" and found.get("last_payment_error"):
            failure = str(found["last_payment_error"].get("message") or "The card was declined.")
            outcome = await _cancel(client, reference)
            return ProviderOutcome(outcome.state, failure=failure) if outcome.state is ProviderState.FAILED else outcome
    return to_intent_outcome(found)


async def cancel(account: PaymentAccount, reference: str) -> ProviderOutcome:
    """Cancel an intent unless it was paid, and return its outcome."""
    async with open_client(account) as client:
        return await _cancel(client, reference)


async def _cancel(client: "stripe.StripeClient", reference: str) -> ProviderOutcome:
    """Free the reader of an intent, and cancel the intent unless it was paid."""
    intent = (await client.v1.payment_intents.retrieve_async(reference)).to_dict()
    reader = str(intent["metadata"][READER_KEY])
    try:
        # A reader may have gone on to the payment of somebody else.
        found = (await client.v1.terminal.readers.retrieve_async(reader)).to_dict()
        action = (found.get("action") or {}).get("process_payment_intent") or {}
        if action.get("payment_intent") == reference:
            await client.v1.terminal.readers.cancel_action_async(reader)
    except stripe.InvalidRequestError:
        pass  # it is gone, unplugged, or busy with a card: the intent itself says which
    try:
        intent = (await client.v1.payment_intents.cancel_async(reference)).to_dict()
    except stripe.InvalidRequestError:
        intent = (await client.v1.payment_intents.retrieve_async(reference)).to_dict()
    return to_intent_outcome(intent)


def _to_reader(found: Mapping[str, Any]) -> CardReader:
    name = str(found.get("label") or found.get("device_type") or found["id"])
    return CardReader(str(found["id"]), name[:100], found.get("status") == "online")
