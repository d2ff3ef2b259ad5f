"""Payouts as owners reconcile them with their bank: lists, sums by kind, and parts with their orders."""

import csv
import io
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from comanda.basics import BYTE_ORDER_MARK, Money, to_cell
from comanda.contracts import Caller, PageRequest, PayoutPartKind, PayoutState, RecordPage
from comanda.platform.db import sql

from comanda_payments.records.payouts import OwnPayout, OwnPayoutPart, PayoutSum, PayoutWithSums
from comanda_payments.services.accounts.payouts import MAX_PARTS

COLUMNS: Final = """id, owner_id, account_id, provider, reference, state, amount_minor, currency, arrives_on, failure,
    parts_at IS NOT NULL AS has_parts, created_at"""
SELECT_PAYOUTS: Final = f"""
    SELECT {COLUMNS} FROM payments_payout WHERE owner_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3
"""
COUNT_PAYOUTS: Final = "SELECT count(*) FROM payments_payout WHERE owner_id = $1"
SELECT_PAYOUT: Final = f"SELECT {COLUMNS} FROM payments_payout WHERE id = $1 AND owner_id = $2"
SUM_PARTS: Final = """
    SELECT kind, count(*) AS count, sum(amount_minor)::bigint AS amount_minor, sum(fee_minor)::bigint AS fee_minor
    FROM payments_payout_part WHERE payout_id = $1 AND owner_id = $2 GROUP BY kind
"""
SELECT_PARTS: Final = """
    SELECT id, reference, kind, amount_minor, fee_minor, charge_reference, description
    FROM payments_payout_part WHERE payout_id = $1 AND owner_id = $2 ORDER BY id LIMIT $3 OFFSET $4
"""
COUNT_PARTS: Final = "SELECT count(*) FROM payments_payout_part WHERE payout_id = $1 AND owner_id = $2"
# Found when it is read: a payment may be booked after its payout, and move to another order.
SELECT_PAYMENTS: Final = """
    SELECT p.charge_reference, p.id, p.order_id, p.store_id, o.number
    FROM payments_payment p LEFT JOIN core_order_v1 o ON o.id = p.order_id AND o.owner_id = p.owner_id
    WHERE p.owner_id = $1 AND p.method = $2 AND p.charge_reference = ANY($3::text[])
"""
CSV_COLUMNS: Final = (
    "reference", "kind", "order_number", "order_id", "payment_id", "restaurant_id", "amount", "fee", "net", "currency",
    "description",
)  # fmt: skip


async def list_payouts(caller: Caller, page: PageRequest) -> RecordPage[OwnPayout]:
    """List the payouts of the caller's accounts, newest first."""
    rows = await sql.fetch(SELECT_PAYOUTS, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_PAYOUTS, caller.owner_id))
    return page.of([_to_payout(row) for row in rows], total)


async def get_payout(caller: Caller, payout_id: int) -> PayoutWithSums:
    """Return a payout with the sums of its parts. Raises ``NotFound``."""
    row = await _get_row(caller, payout_id)
    sums = {each["kind"]: each for each in await sql.fetch(SUM_PARTS, payout_id, caller.owner_id)}
    known = [_to_sum(sums[kind], row["currency"]) for kind in PayoutPartKind if kind in sums]
    unexplained = row["amount_minor"] - sum(each.net.minor for each in known)
    values = {name: getattr(_to_payout(row), name) for name in OwnPayout.__slots__}
    return PayoutWithSums(**values, sums=known, unexplained=Money(unexplained, row["currency"]))


async def list_parts(caller: Caller, payout_id: int, page: PageRequest) -> RecordPage[OwnPayoutPart]:
    """List the parts of a payout as the provider lists them. Raises ``NotFound``."""
    payout = await _get_row(caller, payout_id)
    parts = await _load_parts(payout, page.size(), page.offset())
    total = await page.get_total(parts, lambda: sql.fetch_value(COUNT_PARTS, payout_id, caller.owner_id))
    return page.of(parts, total)


async def export_parts(caller: Caller, payout_id: int) -> tuple[str, bytes]:
    """Return the name and the content of a CSV file of all parts of a payout. Raises ``NotFound``."""
    payout = await _get_row(caller, payout_id)
    parts = await _load_parts(payout, MAX_PARTS, 0)
    rows = [CSV_COLUMNS, *(_to_cells(part, payout["currency"]) for part in parts)]
    text = io.StringIO()
    csv.writer(text).writerows([to_cell(value) for value in row] for row in rows)
    name = f"payout-{payout['arrives_on'] or payout['created_at'].date()}-{payout_id}.csv"
    return name, f"{BYTE_ORDER_MARK}{text.getvalue()}".encode()


async def _get_row(caller: Caller, payout_id: int) -> sql.Row:
    return await sql.require_one(SELECT_PAYOUT, payout_id, caller.owner_id)


async def _load_parts(payout: sql.Row, limit: int, offset: int) -> list[OwnPayoutPart]:
    owner_id = payout["owner_id"]
    rows = await sql.fetch(SELECT_PARTS, payout["id"], owner_id, limit, offset)
    charges = list({row["charge_reference"] for row in rows if row["charge_reference"] is not None})
    payments = {
        row["charge_reference"]: row for row in await sql.fetch(SELECT_PAYMENTS, owner_id, payout["provider"], charges)
    }
    return [_to_part(row, payments, payout["currency"]) for row in rows]


def _to_payout(row: sql.Row) -> OwnPayout:
    return sql.to_record(
        OwnPayout, row, state=PayoutState(row["state"]), amount=Money(row["amount_minor"], row["currency"])
    )


def _to_sum(row: sql.Row, currency: str) -> PayoutSum:
    amount, fee = Money(row["amount_minor"], currency), Money(row["fee_minor"], currency)
    return PayoutSum(PayoutPartKind(row["kind"]), row["count"], amount, fee, amount - fee)


def _to_part(row: sql.Row, payments: Mapping[str, sql.Row], currency: str) -> OwnPayoutPart:
    amount, fee = Money(row["amount_minor"], currency), Money(row["fee_minor"], currency)
    payment = payments.get(row["charge_reference"])
    return OwnPayoutPart(
        id=row["id"],
        reference=row["reference"],
        kind=PayoutPartKind(row["kind"]),
        amount=amount,
        fee=fee,
        net=amount - fee,
        payment_id=None if payment is None else payment["id"],
        order_id=None if payment is None else payment["order_id"],
        order_number=None if payment is None else payment["number"],
        store_id=None if payment is None else payment["store_id"],
        description=row["description"],
    )


def _to_cells(part: OwnPayoutPart, currency: str) -> Sequence[object]:
    amounts = [Decimal(each.to_decimal_string()) for each in (part.amount, part.fee, part.net)]
    ids = (part.order_number, part.order_id, part.payment_id, part.store_id)
    return (part.reference, part.kind.value, *ids, *amounts, currency, part.description)
