"""Gift cards: issued, found by their code, adjusted, blocked."""

from datetime import datetime
from typing import Any

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.services import require_store

from comanda_payments import codes, customers, ledgers
from comanda_payments.amounts import minor, shown
from comanda_payments.ledgers import CARDS
from comanda_payments.models import CardStatus, EntryKind
from comanda_payments.schemas import AdjustmentBody, GiftCardBody, GiftCardQuery

COLUMNS = """id, store_id, customer_id, code_last4, status, currency, initial_minor, balance_minor, note, expires_at,
    issued_at"""
INSERT = f"""
    INSERT INTO payments_gift_card (owner_id, store_id, customer_id, code_hash, code_last4, status, currency,
        initial_minor, note, expires_at, issued_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, '{CardStatus.ACTIVE}', $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (store_id, owner_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING id
"""
OF_KEY = """
    SELECT id, body_hash FROM payments_gift_card WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""
ONE = f"SELECT {COLUMNS} FROM payments_gift_card WHERE id = $1 AND owner_id = $2 AND store_id = $3"
BY_CODE = f"SELECT {COLUMNS} FROM payments_gift_card WHERE store_id = $1 AND owner_id = $2 AND code_hash = $3"
STATUS = "UPDATE payments_gift_card SET status = $4 WHERE id = $1 AND owner_id = $2 AND store_id = $3"
OWN = ("id", "code_last4", "status", "initial_amount", "balance", "currency", "expires_at", "issued_at")
THEIRS = """FROM payments_gift_card WHERE store_id = $1 AND owner_id = $2
    AND ($3::bigint IS NULL OR customer_id = $3) AND ($4::text IS NULL OR code_last4 = $4)"""


async def issue(caller: Caller, store_id: int, body: GiftCardBody, key: IdempotencyKey) -> IdempotentResult:
    """Issue a card; the answer is the only one that holds its code. A repeat of ``key`` gets the card without it.

    Raises ``NotFound``; ``ValidationFailed`` for an amount, a time or a customer that will not do.
    """
    store = await require_store(caller, store_id)
    if made := await _issued(caller, store_id, key):
        return made
    code = codes.new_code()
    card_id = await _write(caller, store, body, key, code)
    if card_id is None:
        made = await _issued(caller, store_id, key)
        assert made is not None  # noqa: S101 - another request of this key has just made it
        return made
    return IdempotentResult({**await card(caller, store_id, card_id), "code": code})


async def _issued(caller: Caller, store_id: int, key: IdempotencyKey) -> IdempotentResult | None:
    row = await sql.fetch_one(OF_KEY, store_id, caller.owner_id, key.text) if key.text else None
    if row is None:
        return None
    # The code is nowhere any more, so that nobody who reads the tables can spend the card.
    found = {**await card(caller, store_id, row["id"]), "code": None}
    return IdempotentResult(found, is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)


async def _write(caller: Caller, store: sql.Row, body: GiftCardBody, key: IdempotencyKey, code: str) -> int | None:
    """Write a new card with what it holds, and return its id, or None if a card of this key is there."""
    store_id, currency, moment = store["id"], store["currency"], clock.now()
    amount = minor(body.amount, currency, "amount")
    if amount <= 0:
        raise ValidationFailed(amount=["Must be more than 0."])
    if body.expires_at is not None and body.expires_at <= moment:
        raise ValidationFailed(expires_at=["Must be in the future."])
    if body.customer_id is not None:
        await customers.must_be(caller.owner_id, store_id, body.customer_id)
    named = (codes.digest(code), code[-4:], currency, amount, body.note or None, body.expires_at, moment)
    async with sql.transaction():
        once = (key.text, key.body_hash)
        card_id: int | None = await sql.fetch_value(INSERT, caller.owner_id, store_id, body.customer_id, *named, *once)
        if card_id is not None:
            await ledgers.move(CARDS, caller.owner_id, card_id, amount, EntryKind.ISSUE, caller.actor)
    return card_id


async def page_of_cards(caller: Caller, store_id: int, query: GiftCardQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's cards, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return await _page(caller.owner_id, store_id, page, query.customer_id, query.code_last4)


async def page_of_own(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the cards of the customer who asks, newest first."""
    assert caller.store_id is not None  # noqa: S101 - a customer's token is of one store
    found = await _page(caller.owner_id, caller.store_id, page, caller.subject_id, None)
    # What the store noted is the store's.
    return {**found, "data": [{name: card[name] for name in OWN} for card in found["data"]]}


async def card(caller: Caller, store_id: int, card_id: int) -> dict[str, Any]:
    """Describe a card with its ledger. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(ONE, card_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    return {**record(row), "entries": await ledgers.entries(CARDS, caller.owner_id, card_id, row["currency"])}


async def adjust(
    caller: Caller, store_id: int, card_id: int, body: AdjustmentBody, key: IdempotencyKey
) -> IdempotentResult:
    """Add to a card or take from it, for a reason; a repeat of ``key`` does nothing more.

    Raises ``NotFound``, ``ValidationFailed`` for more than it holds.
    """
    found = await card(caller, store_id, card_id)
    async with sql.transaction():
        earlier = await ledgers.earlier(CARDS, caller.owner_id, card_id, key)
        if earlier is None:
            amount = minor(body.amount, found["currency"], "amount")
            if amount == 0:
                raise ValidationFailed(amount=["Must not be 0."])
            reason = EntryKind.ADJUST, caller.actor
            if not await ledgers.move(CARDS, caller.owner_id, card_id, amount, *reason, note=body.reason, key=key):
                raise ValidationFailed(amount=["This is more than the card holds."])
    is_mismatch = earlier is not None and earlier["body_hash"] != key.body_hash
    return IdempotentResult(
        await card(caller, store_id, card_id), is_replay=earlier is not None, is_mismatch=is_mismatch
    )


@sql.transaction()
async def set_status(caller: Caller, store_id: int, card_id: int, status: CardStatus) -> dict[str, Any]:
    """Block a card, or let it be spent again; the status that it has changes nothing. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(STATUS, card_id, caller.owner_id, store_id, status.value)
    return await card(caller, store_id, card_id)


async def look_up(caller: Caller, store_id: int, code: str) -> dict[str, Any]:
    """Find a card by its code. Raises ``NotFound``, also for a code that no card of the store has."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(BY_CODE, store_id, caller.owner_id, codes.digest(code))
    if row is None:
        raise NotFound
    return record(row)


async def spendable(owner_id: int, store_id: int, code: str, currency: str) -> sql.Row:
    """Return the card that a code belongs to. Raises ``ValidationFailed`` with a ``reason`` if it cannot be spent."""
    row = await sql.fetch_one(BY_CODE, store_id, owner_id, codes.digest(code))
    if row is None:
        raise _unspendable("There is no gift card with this code.", "unknown")
    status = status_of(row, clock.now())
    if status is not CardStatus.ACTIVE:
        raise _unspendable(f"This gift card is {status}.", status.value)
    if row["currency"] != currency:
        raise _unspendable(f"This gift card holds {row['currency']}.", "currency")
    return row


async def spend(owner_id: int, row: sql.Row, amount_minor: int, actor: str, order_id: int) -> None:
    """Take an amount from a card, in the open transaction. Raises ``ValidationFailed`` where it holds less."""
    spent = EntryKind.SPEND, actor
    if not await ledgers.move(CARDS, owner_id, row["id"], -amount_minor, *spent, order_id=order_id):
        held = shown(row["balance_minor"], row["currency"])
        raise ValidationFailed(
            amount=[f"This gift card does not hold that much; when last looked at, it held {held}."],
            extras={"reason": "balance", "balance": money.to_number(row["balance_minor"], row["currency"])},
        )


def status_of(row: sql.Row, moment: datetime) -> CardStatus:
    """Tell whether a card can be spent at a moment."""
    status = CardStatus(row["status"])
    is_over = row["expires_at"] is not None and row["expires_at"] <= moment
    return CardStatus.EXPIRED if is_over and status is CardStatus.ACTIVE else status


def record(row: sql.Row) -> dict[str, Any]:
    """Make a card as the API shows it, without its code."""
    return {
        **{name: row[name] for name in ("id", "code_last4", "currency", "customer_id", "note")},
        "status": status_of(row, clock.now()),
        "initial_amount": money.to_number(row["initial_minor"], row["currency"]),
        "balance": money.to_number(row["balance_minor"], row["currency"]),
        "expires_at": row["expires_at"],
        "issued_at": row["issued_at"],
    }


async def _page(
    owner_id: int, store_id: int, page: PageRequest, customer_id: int | None, last4: str | None
) -> dict[str, Any]:
    wanted = (store_id, owner_id, customer_id, last4)
    total = await sql.fetch_value(f"SELECT count(*) {THEIRS}", *wanted)
    window = (page.size(), page.offset())
    rows = await sql.fetch(f"SELECT {COLUMNS} {THEIRS} ORDER BY id DESC LIMIT $5 OFFSET $6", *wanted, *window)
    return page.envelope([record(row) for row in rows], total)


def _unspendable(sentence: str, reason: str) -> ValidationFailed:
    return ValidationFailed(code=[sentence], extras={"reason": reason})
