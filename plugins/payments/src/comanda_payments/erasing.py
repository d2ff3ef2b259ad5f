"""Forgets what was written beside money: amounts, ledgers and the providers' own names of payments stay."""

from typing import Final

from comanda.contracts.erasure import ERASED, Person, PersonalDataEraser
from comanda.db import sql
from comanda.orders.erasure import anonymize_events

from comanda_payments.events import RefundCompleted

# While somebody may still pay on a provider's page, its address is needed.
PAYMENTS: Final = """
    UPDATE payments_payment SET reference = NULL, instructions = NULL, failure = NULL, body_hash = NULL,
        redirect_url = CASE status WHEN 'pending' THEN redirect_url END,
        return_url = CASE status WHEN 'pending' THEN return_url END
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""
REFUNDS: Final = f"""
    WITH refund AS (
        UPDATE payments_refund SET reason = '{ERASED}', body_hash = NULL
        WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) RETURNING id, owner_id)
    UPDATE payments_refund_part p SET failure = NULL FROM refund
    WHERE p.refund_id = refund.id AND p.owner_id = refund.owner_id
"""
CARDS: Final = """
    UPDATE payments_gift_card SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3
"""
CARD_ENTRIES: Final = """
    UPDATE payments_gift_card_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND (order_id = ANY($4::bigint[]) OR card_id IN (
        SELECT id FROM payments_gift_card WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3))
"""
CREDIT_ENTRIES: Final = """
    UPDATE payments_credit_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND (order_id = ANY($4::bigint[]) OR account_id IN (
        SELECT id FROM payments_credit_account WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3))
"""


async def erase(person: Person) -> None:
    """Take what people wrote from the payments and refunds of a person's orders, their gift cards and their credit."""
    orders = sorted(person.order_ids)
    whose = (person.owner_id, person.store_id, person.customer_id)
    await sql.execute(PAYMENTS, person.owner_id, orders)
    await sql.execute(REFUNDS, person.owner_id, orders)
    await sql.execute(CARDS, *whose)
    await sql.execute(CARD_ENTRIES, *whose, orders)
    await sql.execute(CREDIT_ENTRIES, *whose, orders)
    await anonymize_events(person, RefundCompleted, "order_id", orders)


ERASER: Final = PersonalDataEraser("payments", erase)
