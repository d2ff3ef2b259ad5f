"""Rows of prepayments, and the records made of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.basics import Money, NotFound, clock, extend_record, money
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.events import PrepaymentChanged
from comanda_payments.models import PrepaymentKind, PrepaymentStatus
from comanda_payments.records.prepayments import OwnPrepayment

COLUMNS: Final = """id, owner_id, store_id, kind, status, amount_minor, paid_minor, refunded_minor, currency,
    description, guest_name, email, language, page_path, dashboard_path, card_id, order_id, due_at, created_at,
    closed_at"""
SELECT_PREPAYMENT: Final = f"SELECT {COLUMNS} FROM payments_prepayment WHERE id = $1 AND owner_id = $2"
# What is closed stays closed as of the first time; a refund that failed opens it again.
UPDATE_STATUS: Final = f"""
    UPDATE payments_prepayment SET status = $3::text, order_id = coalesce($4, order_id),
        check_at = CASE WHEN $3::text = '{PrepaymentStatus.OPEN}' THEN check_at END,
        closed_at = CASE WHEN $3::text NOT IN
            ('{PrepaymentStatus.OPEN}', '{PrepaymentStatus.PAID}', '{PrepaymentStatus.REFUNDING}')
            THEN coalesce(closed_at, $5::timestamptz) END
    WHERE id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""


@dataclass(frozen=True, slots=True)
class Prepayment:
    """A prepayment as its row has it, in minor units."""

    id: int
    owner_id: int
    store_id: int
    kind: PrepaymentKind
    status: PrepaymentStatus
    amount_minor: int
    paid_minor: int
    refunded_minor: int
    currency: str
    description: str
    guest_name: str | None
    email: str | None
    language: str | None
    page_path: str | None
    dashboard_path: str | None
    card_id: int | None
    order_id: int | None
    due_at: datetime
    created_at: datetime
    closed_at: datetime | None

    @property
    def held_minor(self) -> int:
        """What was paid and not given back."""
        return self.paid_minor - self.refunded_minor

    @property
    def can_be_paid(self) -> bool:
        """Whether it waits for its payer."""
        return self.status is PrepaymentStatus.OPEN and clock.now() < self.due_at


async def get_prepayment(owner_id: int, prepayment_id: int) -> Prepayment:
    """Return a prepayment. Raises ``NotFound``."""
    return to_prepayment(await sql.fetch_one(SELECT_PREPAYMENT, prepayment_id, owner_id))


async def lock_prepayment(owner_id: int, prepayment_id: int) -> Prepayment:
    """Lock and return a prepayment until the open transaction ends. Raises ``NotFound``.

    An order, or what the prepayment is for, is locked before it.
    """
    return to_prepayment(await sql.fetch_one(f"{SELECT_PREPAYMENT} FOR UPDATE", prepayment_id, owner_id))


async def set_status(
    prepayment: Prepayment, status: PrepaymentStatus, *, order_id: int | None = None, has_failed: bool = False
) -> Prepayment:
    """Set another status of a locked prepayment, and return it as it is now.

    Emits ``PrepaymentChanged``, but not for one that is paid as before because its refund ``has_failed``:
    a handler that refunds what is paid would repeat it for ever.
    """
    row = await sql.one(UPDATE_STATUS, prepayment.id, prepayment.owner_id, status.value, order_id, clock.now())
    after = to_prepayment(row)
    if not has_failed:
        await publish(_to_event(after), owner_id=after.owner_id, store_id=after.store_id)
    return after


def to_prepayment(row: sql.Row | None) -> Prepayment:
    """Return the prepayment of a row with ``COLUMNS``. Raises ``NotFound`` without one."""
    if row is None:
        raise NotFound
    known = {**dict(row), "kind": PrepaymentKind(row["kind"]), "status": PrepaymentStatus(row["status"])}
    return Prepayment(**known)


def to_record(prepayment: Prepayment) -> OwnPrepayment:
    """Return a prepayment as its owner sees it."""
    return extend_record(
        OwnPrepayment,
        prepayment,
        amount=Money(prepayment.amount_minor, prepayment.currency),
        paid=Money(prepayment.paid_minor, prepayment.currency),
        refunded=Money(prepayment.refunded_minor, prepayment.currency),
        gift_card_id=prepayment.card_id,
    )


def _to_event(prepayment: Prepayment) -> PrepaymentChanged:
    return PrepaymentChanged(
        prepayment_id=prepayment.id,
        restaurant_id=prepayment.store_id,
        kind=prepayment.kind.value,
        status=prepayment.status.value,
        amount=money.to_decimal_string(prepayment.amount_minor, prepayment.currency),
        currency=prepayment.currency,
        order_id=prepayment.order_id,
    )
