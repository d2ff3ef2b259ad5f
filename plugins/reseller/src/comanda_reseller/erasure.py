"""Erasure of an owner that is a reseller or the customer of one. Invoices stay as they were issued.

The law asks for the names, addresses and tax numbers on them, and forbids that they change.
"""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import PersonalDataEraser
from comanda.platform.db import sql

KEPT_TABLES: Final = tuple(
    f"reseller_{name}"
    for name in (
        "account", "customer", "plan", "subscription", "change", "invoice_counter", "invoice", "invoice_line",
        "invoice_payment", "credit",
    )
)  # fmt: skip
COUNT_OPEN: Final = """
    SELECT (SELECT count(*) FROM reseller_subscription
            WHERE (owner_id = $1 OR customer_owner_id = $1) AND status <> 'expired') AS subscriptions,
           (SELECT count(*) FROM reseller_invoice
            WHERE (owner_id = $1 OR customer_owner_id = $1) AND status IN ('draft', 'open')) AS invoices,
           (SELECT count(*) FROM reseller_credit
            WHERE (owner_id = $1 OR customer_owner_id = $1) AND balance_minor > 0) AS credits
"""
OBSTACLES: Final = {
    "subscriptions": "Subscriptions that have not ended: {}. Cancel them, and wait for the end of their periods.",
    "invoices": "Open invoices: {}. Have them paid, voided or written off.",
    "credits": "Customers with credit for unused time: {}. It is used up by invoices or paid back.",
}
ANONYMIZE_ACCOUNT: Final = """
    UPDATE reseller_account SET is_active = false, legal_name = NULL, address = NULL, tax_number = NULL,
        payment_note = NULL, brand_name = NULL, brand_email = NULL, next_attempt_at = NULL, last_error = NULL
    WHERE owner_id = $1
"""
ANONYMIZE_CUSTOMER: Final = """
    UPDATE reseller_customer SET legal_name = NULL, address = NULL, tax_number = NULL, invitation_hash = NULL,
        invitation_expires_at = NULL
    WHERE customer_owner_id = $1
"""


async def list_obstacles(owner_id: int) -> Sequence[str]:
    """Return sentences about subscriptions, invoices and credits that are open, as reseller or as customer."""
    row = await sql.fetch_one(COUNT_OPEN, owner_id)
    return [sentence.format(row[what]) for what, sentence in OBSTACLES.items() if row is not None and row[what]]


async def erase_owner(owner_id: int) -> None:
    """Remove the names and addresses of an owner from the reseller's account and from the customers of resellers."""
    await sql.execute(ANONYMIZE_ACCOUNT, owner_id)
    await sql.execute(ANONYMIZE_CUSTOMER, owner_id)


ERASER: Final = PersonalDataEraser(
    "reseller", kept_tables=KEPT_TABLES, erase_owner=erase_owner, list_obstacles=list_obstacles
)
