"""What the payment of an invoice does to the subscription that it bills."""

from datetime import datetime
from typing import Final

from comanda.platform.db import sql

from comanda_reseller.models import Subscription
from comanda_reseller.records.invoices import Invoice
from comanda_reseller.services.subscriptions.lifecycle import pay
from comanda_reseller.services.subscriptions.transitions import lock_subscription, save_transition, to_state

SELECT_SUBSCRIPTION: Final = "SELECT subscription_id FROM reseller_invoice WHERE id = $1 AND owner_id = $2"


async def lock_subscription_of(owner_id: int, invoice_id: int) -> None:
    """Lock the subscription that an invoice bills, if any, before the invoice is locked."""
    subscription_id = await sql.fetch_value(SELECT_SUBSCRIPTION, invoice_id, owner_id)
    if subscription_id is not None:
        await lock_subscription(owner_id, subscription_id)


async def apply_payment(invoice: Invoice, at: datetime) -> None:
    """Move a subscription that waits for this invoice on, in the open transaction in which the invoice became paid.

    Emits ``SubscriptionRenewed`` if it was past due. An invoice that no subscription waits for changes nothing.
    """
    if invoice.subscription_id is None:
        return
    model: Subscription = await lock_subscription(invoice.owner_id, invoice.subscription_id)
    if model.open_invoice_id != invoice.id or model.ended_at is not None:
        return
    transition = pay(to_state(model), at)
    await save_transition(model, transition, transition.state.updated_at, invoice.id)
