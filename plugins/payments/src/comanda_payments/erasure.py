"""Personal data in payments: export, and the erasure of free text. Amounts, ledgers and providers' references stay."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.basics import to_number
from comanda.contracts import ERASED, Person, PersonalDataEraser
from comanda.orders import anonymize_events, lock_rows_of
from comanda.platform.db import sql

from comanda_payments.events import RefundCompleted

# The provider's page must stay reachable while the payment is pending.
ANONYMIZE_PAYMENTS: Final = """
    UPDATE payments_payment SET reference = NULL, instructions = NULL, failure = NULL, body_hash = NULL,
        redirect_url = CASE WHEN status = 'pending' THEN redirect_url END,
        return_url = CASE WHEN status = 'pending' THEN return_url END
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""
ANONYMIZE_REFUNDS: Final = f"""
    WITH refund AS (
        UPDATE payments_refund SET reason = '{ERASED}', body_hash = NULL
        WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) RETURNING id, owner_id)
    UPDATE payments_refund_part p SET failure = NULL FROM refund
    WHERE p.refund_id = refund.id AND p.owner_id = refund.owner_id
"""
ANONYMIZE_GIFT_CARDS: Final = """
    UPDATE payments_gift_card SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3
"""
ANONYMIZE_GIFT_CARD_ENTRIES: Final = """
    UPDATE payments_gift_card_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND (order_id = ANY($4::bigint[]) OR card_id IN (
        SELECT id FROM payments_gift_card WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3))
"""
ANONYMIZE_CREDIT_ENTRIES: Final = """
    UPDATE payments_credit_entry SET note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND (order_id = ANY($4::bigint[]) OR account_id IN (
        SELECT id FROM payments_credit_account WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3))
"""

# Name and address are a person's; the code belongs to the holder of the card.
ANONYMIZE_PREPAYMENTS: Final = """
    UPDATE payments_prepayment SET guest_name = NULL, email = NULL, language = NULL, body_hash = NULL,
        page_path = CASE WHEN status = 'open' THEN page_path END
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""

COUNT_PENDING: Final = """
    SELECT (SELECT count(*) FROM payments_payment WHERE owner_id = $1 AND status = 'pending')
         + (SELECT count(*) FROM payments_refund WHERE owner_id = $1 AND status = 'pending')
"""


# Codes of gift cards are stored nowhere.
SELECT_CREDIT: Final = """
    SELECT issued_at AS at, 'gift card …' || code_last4 AS what, initial_minor AS amount_minor, currency, note
    FROM payments_gift_card WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3
    UNION ALL
    SELECT e.created_at, 'store credit: ' || e.kind, e.amount_minor, a.currency, e.note
    FROM payments_credit_account a
    JOIN payments_credit_entry e ON e.account_id = a.id AND e.owner_id = a.owner_id
    WHERE a.owner_id = $1 AND a.store_id = $2 AND a.customer_id = $3
    ORDER BY 1
"""


async def export_credit(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return the gift cards that were issued to a person, and the changes of their store credit."""
    rows = await sql.fetch(SELECT_CREDIT, person.owner_id, person.store_id, person.customer_id)
    return [
        {"at": row["at"], "what": row["what"], "amount": to_number(row["amount_minor"], row["currency"]),
         "currency": row["currency"], "note": row["note"]}
        for row in rows
    ]  # fmt: skip


async def erase_personal_data(person: Person) -> None:
    """Erase free text in the payments, refunds, gift cards and store credit of a person, and their e-mail address."""
    orders = sorted(person.order_ids)
    customer = (person.owner_id, person.store_id, person.customer_id)
    prepayments = await lock_rows_of(person, "payments_prepayment", by=("email",))
    await sql.execute(ANONYMIZE_PREPAYMENTS, person.owner_id, prepayments)
    await sql.execute(ANONYMIZE_PAYMENTS, person.owner_id, orders)
    await sql.execute(ANONYMIZE_REFUNDS, person.owner_id, orders)
    await sql.execute(ANONYMIZE_GIFT_CARDS, *customer)
    await sql.execute(ANONYMIZE_GIFT_CARD_ENTRIES, *customer, orders)
    await sql.execute(ANONYMIZE_CREDIT_ENTRIES, *customer, orders)
    await anonymize_events(person, RefundCompleted, "order_id", orders)


async def list_obstacles(owner_id: int) -> Sequence[str]:
    """Return a sentence if payments or refunds of the owner are pending."""
    pending = await sql.fetch_value(COUNT_PENDING, owner_id)
    return [f"Pending payments and refunds: {pending}. Wait until they end, or cancel them."] if pending else []


ERASER: Final = PersonalDataEraser("payments", erase_personal_data, list_obstacles=list_obstacles, export=export_credit)
