"""Store credit: what a store owes its customers, granted, spent, adjusted."""

from typing import Any

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores.services import require_store

from comanda_payments import customers, ledgers
from comanda_payments.amounts import minor, shown
from comanda_payments.ledgers import CREDIT
from comanda_payments.models import EntryKind
from comanda_payments.schemas import CreditEntryBody

ACCOUNT = """
    SELECT id, customer_id, currency, balance_minor FROM payments_credit_account
    WHERE store_id = $1 AND owner_id = $2 AND customer_id = $3
"""
OPEN = """
    INSERT INTO payments_credit_account (owner_id, store_id, customer_id, currency, created_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (store_id, owner_id, customer_id) DO NOTHING
"""
PAGE = """
    SELECT id, customer_id, currency, balance_minor FROM payments_credit_account
    WHERE store_id = $1 AND owner_id = $2 ORDER BY id DESC LIMIT $3 OFFSET $4
"""
COUNT = "SELECT count(*) FROM payments_credit_account WHERE store_id = $1 AND owner_id = $2"


async def page_of_accounts(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List the customers who have, or had, credit at a store, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    total = await sql.fetch_value(COUNT, store_id, caller.owner_id)
    rows = await sql.fetch(PAGE, store_id, caller.owner_id, page.size(), page.offset())
    return page.envelope([_summary(row) for row in rows], total)


async def account(caller: Caller, store_id: int, customer_id: int) -> dict[str, Any]:
    """Tell a customer's credit with its ledger, zero for one who never had any. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    await customers.must_exist(caller.owner_id, store_id, customer_id)
    return await _whole(caller.owner_id, store_id, customer_id, store["currency"])


async def own(caller: Caller) -> dict[str, Any]:
    """Tell the credit of the customer who asks."""
    assert caller.store_id is not None  # noqa: S101 - a customer's token is of one store, and of one customer
    assert caller.subject_id is not None  # noqa: S101
    store = await require_store(caller, caller.store_id)
    whole = await _whole(caller.owner_id, caller.store_id, caller.subject_id, store["currency"])
    return {name: whole[name] for name in ("balance", "currency", "entries")}


async def enter(
    caller: Caller, store_id: int, customer_id: int, body: CreditEntryBody, key: IdempotencyKey
) -> IdempotentResult:
    """Grant credit to a customer, or adjust it up or down for a reason; a repeat of ``key`` does nothing more.

    Raises ``NotFound``; ``ValidationFailed`` for a grant below zero, or for taking more than there is.
    """
    store = await require_store(caller, store_id)
    await customers.must_exist(caller.owner_id, store_id, customer_id)
    async with sql.transaction():
        opened = await _opened(caller.owner_id, store_id, customer_id, store["currency"])
        earlier = await ledgers.earlier(CREDIT, caller.owner_id, opened["id"], key)
        if earlier is None:
            await _enter(caller, opened, body, key)
    is_mismatch = earlier is not None and earlier["body_hash"] != key.body_hash
    whole = await _whole(caller.owner_id, store_id, customer_id, store["currency"])
    return IdempotentResult(whole, is_replay=earlier is not None, is_mismatch=is_mismatch)


async def spend(
    owner_id: int, store_id: int, customer_id: int | None, currency: str, amount_minor: int, actor: str, order_id: int
) -> int:
    """Take an amount of a customer's credit for an order, in the open transaction, and return the account's id.

    Raises ``ValidationFailed`` for an order of nobody's account, or for more than there is.
    """
    if customer_id is None:
        raise ValidationFailed(method=["This order has no customer, so there is no store credit to spend."])
    row = await sql.fetch_one(ACCOUNT, store_id, owner_id, customer_id)
    spent = EntryKind.SPEND, actor
    if row is None or row["currency"] != currency:
        raise _too_little(0, currency)
    if not await ledgers.move(CREDIT, owner_id, row["id"], -amount_minor, *spent, order_id=order_id):
        raise _too_little(row["balance_minor"], currency)
    return int(row["id"])


async def _enter(caller: Caller, opened: sql.Row, body: CreditEntryBody, key: IdempotencyKey) -> None:
    amount = minor(body.amount, opened["currency"], "amount")
    if amount == 0 or (amount < 0 and body.kind == "grant"):
        raise ValidationFailed(amount=["Must be more than 0, or for an adjustment other than 0."])
    kind = EntryKind(body.kind), caller.actor
    if not await ledgers.move(CREDIT, caller.owner_id, opened["id"], amount, *kind, note=body.note, key=key):
        raise ValidationFailed(amount=["This is more credit than the customer has."])


def _too_little(balance_minor: int, currency: str) -> ValidationFailed:
    return ValidationFailed(
        amount=[f"The customer has {shown(balance_minor, currency)} of store credit."],
        extras={"reason": "balance", "balance": money.to_number(balance_minor, currency)},
    )


async def _opened(owner_id: int, store_id: int, customer_id: int, currency: str) -> sql.Row:
    await sql.execute(OPEN, owner_id, store_id, customer_id, currency, clock.now())
    row = await sql.fetch_one(ACCOUNT, store_id, owner_id, customer_id)
    assert row is not None  # noqa: S101 - it has just been made, or was there
    if row["currency"] != currency:
        raise ValidationFailed(amount=[f"This customer's credit is in {row['currency']}."])
    return row


async def _whole(owner_id: int, store_id: int, customer_id: int, currency: str) -> dict[str, Any]:
    row = await sql.fetch_one(ACCOUNT, store_id, owner_id, customer_id)
    if row is None:
        return {"customer_id": customer_id, "balance": 0, "currency": currency, "entries": []}
    return {**_summary(row), "entries": await ledgers.entries(CREDIT, owner_id, row["id"], row["currency"])}


def _summary(row: sql.Row) -> dict[str, Any]:
    return {
        "customer_id": row["customer_id"],
        "balance": money.to_number(row["balance_minor"], row["currency"]),
        "currency": row["currency"],
    }
