"""Credit notes: of refunds, and of invoices that are cancelled.

What is to be credited is computed from what is left of an order's payments, never added up from events: an event may
arrive twice, late or out of order. The row of the order is locked.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from comanda.basics import clock
from comanda.orders import Bill, settlement
from comanda.platform.db import sql
from comanda.web import N_
from comanda_payments.api import MoneyMovement, list_money_movements

from comanda_invoices.models import DocumentKind
from comanda_invoices.records import OrderInvoice
from comanda_invoices.services import contents, documents

ACTOR: Final = "invoices"
REFUND_REASON: Final = N_("Refund of the order")
SELECT_INVOICED: Final = f"""
    SELECT d.owner_id, d.store_id, d.order_id FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN invoices_document d ON d.order_id = given.id AND d.owner_id = given.owner_id
    WHERE d.kind = '{DocumentKind.INVOICE}' AND d.cancelled_at IS NULL
    ORDER BY d.owner_id, d.order_id
"""
CANCEL_INVOICE: Final = "UPDATE invoices_document SET cancelled_at = $3 WHERE owner_id = $1 AND id = $2"


async def list_invoiced(orders: Collection[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return owner, store and order of those orders, given as ``(order_id, owner_id)``, that have an invoice."""
    rows = await sql.fetch(SELECT_INVOICED, [order for order, _ in orders], [owner_id for _, owner_id in orders])
    return [(row["owner_id"], row["store_id"], row["order_id"]) for row in rows]


async def credit_order(owner_id: int, store_id: int, order_id: int) -> None:
    """Credit what was refunded of an order and is not credited yet."""
    async with sql.transaction():
        bill = await settlement.lock_bill_of(owner_id, store_id, order_id)
        invoice = await documents.find_current(owner_id, order_id)
        if invoice is not None:
            movements = await list_money_movements([order_id], [owner_id])
            await credit_refunds(bill, invoice, movements.get(order_id, ()))


async def credit_refunds(bill: Bill, invoice: OrderInvoice, movements: Sequence[MoneyMovement]) -> None:
    """Credit what an invoice says beyond what the store keeps, in the open transaction that locks the order.

    A refund of what was paid twice, or of what the invoice does not have any more, takes nothing off it. One of an
    order that has become dearer since does, if it lowers what the order comes to now.
    """
    kept_minor = max(0, bill.paid_minor - bill.refunded_minor)
    lowered_minor = bill.total_minor - bill.amount_due_minor - kept_minor
    amount_minor = max(invoice.total.minor - kept_minor, lowered_minor) - invoice.credited.minor
    if amount_minor > 0:
        refunds = [each for each in movements if each.is_refund]
        await _issue(bill, invoice, min(amount_minor, _get_left(invoice)), refunds, REFUND_REASON, ACTOR)


async def cancel(bill: Bill, invoice: OrderInvoice, reason: str, actor: str) -> OrderInvoice:
    """Credit all that is left of an invoice in the open transaction that locks the order, and return that note."""
    return await _issue(bill, invoice, _get_left(invoice), (), reason, actor)


def _get_left(invoice: OrderInvoice) -> int:
    return invoice.total.minor - invoice.credited.minor


async def _issue(
    bill: Bill, invoice: OrderInvoice, amount_minor: int, refunds: Sequence[MoneyMovement], reason: str, actor: str
) -> OrderInvoice:
    earlier, known = await documents.list_credit_notes(bill.owner_id, invoice.id)
    new = [each for each in refunds if each.key not in known]
    weights: Counter[int] = Counter()
    for each in new:
        weights.update(each.lines_by_rate)
    content = contents.create_credit_note(invoice, earlier, amount_minor, weights, reason)
    keys = [each.key for each in new]
    note = await documents.insert_document(bill, content, actor, invoice_id=invoice.id, refund_keys=keys)
    if amount_minor == _get_left(invoice):
        await sql.execute(CANCEL_INVOICE, bill.owner_id, invoice.id, clock.now())
    return note
