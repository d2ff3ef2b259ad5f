"""Store credit of customers: granting, adjusting and spending."""

from comanda.basics import Money, Sentence, ValidationFailed, clock, extend_record, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, PageRequest, RecordPage
from comanda.orders import Bill
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_payments.models import LedgerEntryKind
from comanda_payments.records.balances import CreditAccount, StoreCredit, StoreCreditWithEntries
from comanda_payments.schemas import CreditEntryBody
from comanda_payments.services.balances import customers, ledgers
from comanda_payments.services.balances.ledgers import STORE_CREDIT_LEDGER
from comanda_payments.services.bills.amounts import format_amount

SELECT_ACCOUNT = """
    SELECT id, customer_id, currency, balance_minor FROM payments_credit_account
    WHERE store_id = $1 AND owner_id = $2 AND customer_id = $3
"""
INSERT_ACCOUNT = """
    INSERT INTO payments_credit_account (owner_id, store_id, customer_id, currency, created_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (store_id, owner_id, customer_id) DO NOTHING
"""
SELECT_ACCOUNTS = """
    SELECT a.customer_id, a.currency, a.balance_minor, c.name AS customer_name FROM payments_credit_account a
    LEFT JOIN customers_customer_v1 c ON c.id = a.customer_id AND c.owner_id = a.owner_id
    WHERE a.store_id = $1 AND a.owner_id = $2 ORDER BY a.id DESC LIMIT $3 OFFSET $4
"""
COUNT_ACCOUNTS = "SELECT count(*) FROM payments_credit_account WHERE store_id = $1 AND owner_id = $2"


async def list_accounts(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[CreditAccount]:
    """List the store credit accounts of a store, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    total = await sql.fetch_value(COUNT_ACCOUNTS, store_id, caller.owner_id)
    rows = await sql.fetch(SELECT_ACCOUNTS, store_id, caller.owner_id, page.size(), page.offset())
    accounts = [extend_record(CreditAccount, _to_store_credit(row), customer_name=row["customer_name"]) for row in rows]
    return page.of(accounts, total)


async def get_account(caller: Caller, store_id: int, customer_id: int) -> StoreCreditWithEntries:
    """Return a customer's store credit with its newest entries, 0 if there is no account. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    await customers.check_customer_exists(caller.owner_id, store_id, customer_id)
    return await _get_account_with_entries(caller.owner_id, store_id, customer_id, store["currency"])


async def get_customer_credit(caller: Caller) -> StoreCreditWithEntries:
    """Return the store credit of the calling customer."""
    store_id = caller.known_store_id
    store = await require_store(caller, store_id)
    return await _get_account_with_entries(caller.owner_id, store_id, caller.known_subject_id, store["currency"])


async def create_entry(
    caller: Caller, store_id: int, customer_id: int, body: CreditEntryBody, key: IdempotencyKey
) -> IdempotentResult[StoreCreditWithEntries]:
    """Grant store credit to a customer or adjust it, once for a ``key``.

    Raises ``NotFound``; ``ValidationFailed`` for a negative grant, or if the balance would be negative.
    """
    store = await require_store(caller, store_id)
    await customers.check_customer_exists(caller.owner_id, store_id, customer_id)
    account_row = await _get_or_create_account(caller.owner_id, store_id, customer_id, store["currency"])

    async def create() -> int:
        async with sql.transaction():
            await _record_entry(caller, account_row, body, key)
        return int(account_row["id"])

    async def load(_: int) -> StoreCreditWithEntries:
        return await _get_account_with_entries(caller.owner_id, store_id, customer_id, store["currency"])

    return await STORE_CREDIT_LEDGER.keys.create_once(caller.owner_id, account_row["id"], key, create, load)


async def spend_credit(
    owner_id: int, store_id: int, customer_id: int | None, currency: str, amount_minor: int, actor: str, order_id: int
) -> int:
    """Deduct an amount from a customer's store credit in the open transaction, and return the account's id.

    Raises ``ValidationFailed`` if the order has no customer, or if the balance is too low.
    """
    if customer_id is None:
        raise ValidationFailed(method=[Sentence("This order has no customer account to charge store credit to.")])
    row = await sql.fetch_one(SELECT_ACCOUNT, store_id, owner_id, customer_id)
    entry = LedgerEntryKind.SPEND, actor
    if row is None or row["currency"] != currency:
        raise _create_insufficient_credit_error(0, currency)
    if not await ledgers.record_entry(
        STORE_CREDIT_LEDGER, owner_id, row["id"], -amount_minor, *entry, order_id=order_id
    ):
        raise _create_insufficient_credit_error(row["balance_minor"], currency)
    return int(row["id"])


async def get_or_create_account_id(bill: Bill) -> int:
    """Return the id of the account of an order's customer. Raises ``ValidationFailed`` if it has another currency."""
    if bill.customer_id is None:
        raise ValidationFailed(method=[Sentence("This order has no customer account to credit.")])
    row = await _get_or_create_account(bill.owner_id, bill.store_id, bill.customer_id, bill.currency)
    return int(row["id"])


async def _record_entry(caller: Caller, account_row: sql.Row, body: CreditEntryBody, key: IdempotencyKey) -> None:
    amount = money.parse_amount(body.amount, account_row["currency"], "amount")
    if amount == 0 or (amount < 0 and body.kind == "grant"):
        raise ValidationFailed(amount=[Sentence("Must be more than 0; an adjustment may be negative.")])
    entry = LedgerEntryKind(body.kind), caller.actor
    if not await ledgers.record_entry(
        STORE_CREDIT_LEDGER, caller.owner_id, account_row["id"], amount, *entry, note=body.note, key=key
    ):
        raise ValidationFailed(amount=[Sentence("The customer's balance is too low.")])


def _create_insufficient_credit_error(balance_minor: int, currency: str) -> ValidationFailed:
    return ValidationFailed(
        amount=[
            Sentence("The customer has %(amount)s of store credit.", amount=format_amount(balance_minor, currency))
        ],
        extras={"reason": "balance", "balance": money.to_number(balance_minor, currency)},
    )


async def _get_or_create_account(owner_id: int, store_id: int, customer_id: int, currency: str) -> sql.Row:
    await sql.execute(INSERT_ACCOUNT, owner_id, store_id, customer_id, currency, clock.now())
    row = await sql.one(SELECT_ACCOUNT, store_id, owner_id, customer_id)
    if row["currency"] != currency:
        raise ValidationFailed(
            amount=[Sentence("This customer's credit is in %(currency)s.", currency=row["currency"])]
        )
    return row


async def _get_account_with_entries(
    owner_id: int, store_id: int, customer_id: int, currency: str
) -> StoreCreditWithEntries:
    row = await sql.fetch_one(SELECT_ACCOUNT, store_id, owner_id, customer_id)
    if row is None:
        return StoreCreditWithEntries(customer_id, Money(0, currency), currency, entries=[])
    entries = await ledgers.list_entries(STORE_CREDIT_LEDGER, owner_id, row["id"], row["currency"])
    return extend_record(StoreCreditWithEntries, _to_store_credit(row), entries=entries)


def _to_store_credit(row: sql.Row) -> StoreCredit:
    return StoreCredit(row["customer_id"], Money(row["balance_minor"], row["currency"]), row["currency"])
