"""Gift cards: issuing, lookup by code, adjusting, blocking and spending."""

from dataclasses import replace
from datetime import datetime

from comanda.basics import Money, Sentence, ValidationFailed, clock, extend_record, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, PageRequest, RecordPage
from comanda.platform.db import KeyedTable, sql
from comanda.stores import require_store

from comanda_payments.models import GiftCardStatus, LedgerEntryKind
from comanda_payments.records.balances import GiftCard, GiftCardWithEntries, IssuedGiftCard
from comanda_payments.schemas import AdjustmentBody, GiftCardBody, GiftCardQuery
from comanda_payments.services.balances import customers, gift_card_codes, ledgers
from comanda_payments.services.balances.ledgers import GIFT_CARD_LEDGER
from comanda_payments.services.bills.amounts import format_amount

COLUMNS = """id, store_id, customer_id, code_last4, status, currency, initial_minor, balance_minor, note, expires_at,
    issued_at"""
INSERT_GIFT_CARD = f"""
    INSERT INTO payments_gift_card (owner_id, store_id, customer_id, code_hash, code_last4, status, currency,
        initial_minor, note, expires_at, issued_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, '{GiftCardStatus.ACTIVE}', $6, $7, $8, $9, $10, $11, $12) RETURNING id
"""
GIFT_CARD_KEYS = KeyedTable("payments_gift_card", "store_id")
SELECT_GIFT_CARD = f"SELECT {COLUMNS} FROM payments_gift_card WHERE id = $1 AND owner_id = $2 AND store_id = $3"
SELECT_GIFT_CARD_BY_CODE = (
    f"SELECT {COLUMNS} FROM payments_gift_card WHERE store_id = $1 AND owner_id = $2 AND code_hash = $3"
)
UPDATE_GIFT_CARD_STATUS = "UPDATE payments_gift_card SET status = $4 WHERE id = $1 AND owner_id = $2 AND store_id = $3"
FROM_MATCHING_GIFT_CARDS = """FROM payments_gift_card WHERE store_id = $1 AND owner_id = $2
    AND ($3::bigint IS NULL OR customer_id = $3) AND ($4::text IS NULL OR code_last4 = $4)"""


async def issue_gift_card(
    caller: Caller, store_id: int, body: GiftCardBody, key: IdempotencyKey
) -> IdempotentResult[IssuedGiftCard]:
    """Issue a gift card. Only this first result contains the code; a repeat of ``key`` returns the card without it.

    Raises ``NotFound``; ``ValidationFailed`` for an invalid amount, expiry or customer.
    """
    store = await require_store(caller, store_id)
    code = gift_card_codes.generate_code()

    async def load(card_id: int) -> IssuedGiftCard:
        return extend_record(IssuedGiftCard, await get_gift_card(caller, store_id, card_id), code=None)

    result = await GIFT_CARD_KEYS.create_once(
        caller.owner_id, store_id, key, lambda: _insert_gift_card(caller, store, body, key, code), load
    )
    # The code is not stored, so that read access to the tables is not enough to spend the card.
    return result if result.is_replay else replace(result, record=replace(result.record, code=code))


async def _insert_gift_card(caller: Caller, store: sql.Row, body: GiftCardBody, key: IdempotencyKey, code: str) -> int:
    """Insert a gift card with its balance and return its id."""
    store_id, currency, moment = store["id"], store["currency"], clock.now()
    amount = money.parse_amount(body.amount, currency, "amount")
    if amount <= 0:
        raise ValidationFailed(amount=[Sentence("Must be more than 0.")])
    if body.expires_at is not None and body.expires_at <= moment:
        raise ValidationFailed(expires_at=[Sentence("Must be in the future.")])
    if body.customer_id is not None:
        await customers.validate_customer_id(caller.owner_id, store_id, body.customer_id)
    columns = (gift_card_codes.hash_code(code), code[-4:], currency, amount, body.note or None, body.expires_at, moment)
    async with sql.transaction():
        idempotency = (key.text, key.body_hash)
        card_id: int = await sql.fetch_value(
            INSERT_GIFT_CARD, caller.owner_id, store_id, body.customer_id, *columns, *idempotency
        )
        await ledgers.record_entry(
            GIFT_CARD_LEDGER, caller.owner_id, card_id, amount, LedgerEntryKind.ISSUE, caller.actor
        )
    return card_id


async def list_gift_cards(
    caller: Caller, store_id: int, query: GiftCardQuery, page: PageRequest
) -> RecordPage[GiftCard]:
    """List a store's gift cards, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return await _list_gift_cards(caller.owner_id, store_id, page, query.customer_id, query.code_last4)


async def list_customer_gift_cards(caller: Caller, page: PageRequest) -> RecordPage[GiftCard]:
    """List the gift cards of the calling customer, newest first."""
    return await _list_gift_cards(caller.owner_id, caller.known_store_id, page, caller.subject_id, None)


async def get_gift_card(caller: Caller, store_id: int, card_id: int) -> GiftCardWithEntries:
    """Return a gift card with its newest ledger entries. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_GIFT_CARD, card_id, caller.owner_id, store_id)
    entries = await ledgers.list_entries(GIFT_CARD_LEDGER, caller.owner_id, card_id, row["currency"])
    return extend_record(GiftCardWithEntries, to_gift_card(row), entries=entries)


async def adjust_gift_card(
    caller: Caller, store_id: int, card_id: int, body: AdjustmentBody, key: IdempotencyKey
) -> IdempotentResult[GiftCardWithEntries]:
    """Add an amount, which may be negative, to a gift card's balance, once for a ``key``.

    Raises ``NotFound``; ``ValidationFailed`` if the balance would be negative.
    """
    gift_card = await get_gift_card(caller, store_id, card_id)

    async def create() -> int:
        amount = money.parse_amount(body.amount, gift_card.currency, "amount")
        if amount == 0:
            raise ValidationFailed(amount=[Sentence("Must not be 0.")])
        entry = LedgerEntryKind.ADJUST, caller.actor
        async with sql.transaction():
            if not await ledgers.record_entry(
                GIFT_CARD_LEDGER, caller.owner_id, card_id, amount, *entry, note=body.reason, key=key
            ):
                raise ValidationFailed(amount=[Sentence("The gift card's balance is too low.")])
        return card_id

    async def load(_: int) -> GiftCardWithEntries:
        return await get_gift_card(caller, store_id, card_id)

    return await GIFT_CARD_LEDGER.keys.create_once(caller.owner_id, card_id, key, create, load)


@sql.transaction()
async def update_gift_card_status(
    caller: Caller, store_id: int, card_id: int, status: GiftCardStatus
) -> GiftCardWithEntries:
    """Block or unblock a gift card. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(UPDATE_GIFT_CARD_STATUS, card_id, caller.owner_id, store_id, status.value)
    return await get_gift_card(caller, store_id, card_id)


async def get_gift_card_by_code(caller: Caller, store_id: int, code: str) -> GiftCard:
    """Return the gift card with a code. Raises ``NotFound`` if the store has none."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_GIFT_CARD_BY_CODE, store_id, caller.owner_id, gift_card_codes.hash_code(code))
    return to_gift_card(row)


async def get_spendable_gift_card(owner_id: int, store_id: int, code: str, currency: str) -> sql.Row:
    """Return the gift card with a code. Raises ``ValidationFailed`` with a ``reason`` if it cannot be spent."""
    row = await sql.fetch_one(SELECT_GIFT_CARD_BY_CODE, store_id, owner_id, gift_card_codes.hash_code(code))
    if row is None:
        raise _create_unspendable_error("There is no gift card with this code.", "unknown")
    status = get_status(row, clock.now())
    if status is not GiftCardStatus.ACTIVE:
        raise _create_unspendable_error(f"This gift card is {status}.", status.value)
    if row["currency"] != currency:
        raise _create_unspendable_error(f"This gift card is in {row['currency']}.", "currency")
    return row


async def spend_gift_card(owner_id: int, row: sql.Row, amount_minor: int, actor: str, order_id: int) -> None:
    """Deduct an amount from a gift card in the open transaction. Raises ``ValidationFailed`` if it holds less."""
    entry = LedgerEntryKind.SPEND, actor
    if not await ledgers.record_entry(GIFT_CARD_LEDGER, owner_id, row["id"], -amount_minor, *entry, order_id=order_id):
        balance = format_amount(row["balance_minor"], row["currency"])
        raise ValidationFailed(
            amount=[Sentence("The gift card's balance is too low; it was last %(amount)s.", amount=balance)],
            extras={"reason": "balance", "balance": money.to_number(row["balance_minor"], row["currency"])},
        )


def get_status(row: sql.Row, moment: datetime) -> GiftCardStatus:
    """Return the status of a gift card at a moment."""
    status = GiftCardStatus(row["status"])
    is_expired = row["expires_at"] is not None and row["expires_at"] <= moment
    return GiftCardStatus.EXPIRED if is_expired and status is GiftCardStatus.ACTIVE else status


def to_gift_card(row: sql.Row) -> GiftCard:
    """Return the gift card of a row with ``COLUMNS``."""
    return sql.to_record(
        GiftCard,
        row,
        status=get_status(row, clock.now()),
        initial_amount=Money(row["initial_minor"], row["currency"]),
        balance=Money(row["balance_minor"], row["currency"]),
    )


async def _list_gift_cards(
    owner_id: int, store_id: int, page: PageRequest, customer_id: int | None, last4: str | None
) -> RecordPage[GiftCard]:
    filters = (store_id, owner_id, customer_id, last4)
    total = await sql.fetch_value(f"SELECT count(*) {FROM_MATCHING_GIFT_CARDS}", *filters)
    window = (page.size(), page.offset())
    rows = await sql.fetch(
        f"SELECT {COLUMNS} {FROM_MATCHING_GIFT_CARDS} ORDER BY id DESC LIMIT $5 OFFSET $6", *filters, *window
    )
    return page.of([to_gift_card(row) for row in rows], total)


def _create_unspendable_error(sentence: str, reason: str) -> ValidationFailed:
    return ValidationFailed(code=[sentence], extras={"reason": reason})
