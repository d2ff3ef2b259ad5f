"""What orders earn: computed from what was paid and what is left of it, never added up from events.

An event may therefore arrive twice, late or out of order: what the order is worth now is compared with what the
ledger says that it has earned, under the lock of the customer's account, and the difference is one entry.
"""

from typing import Final

from comanda.basics import clock, money
from comanda.contracts import Status
from comanda.platform.db import sql

from comanda_loyalty.models import EarnBy, LoyaltyEntryKind
from comanda_loyalty.services import ledger
from comanda_loyalty.services.ledger import NewEntry

ACTOR: Final = "loyalty"
# An order of any size earns at most this, so that no sum leaves its column.
MAX_EARNED: Final = 10**9
# Orders of stores without a programme, and of guests without an account, end here: one statement for each batch.
SELECT_CONCERNED: Final = """
    SELECT o.id, o.owner_id FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN core_order_v1 o ON o.id = given.id AND o.owner_id = given.owner_id
    JOIN loyalty_programme p ON p.store_id = o.store_id AND p.owner_id = o.owner_id
    LEFT JOIN loyalty_order e ON e.order_id = o.id AND e.owner_id = o.owner_id
    WHERE e.order_id IS NOT NULL OR (p.is_on AND o.customer_id IS NOT NULL AND o.paid_at IS NOT NULL)
    ORDER BY o.owner_id, o.id
"""
SELECT_ACCOUNT_KEYS: Final = """
    SELECT o.store_id, e.account_id, c.id AS customer_id FROM core_order_v1 o
    LEFT JOIN loyalty_order e ON e.order_id = o.id AND e.owner_id = o.owner_id
    LEFT JOIN customers_customer_v1 c ON c.id = o.customer_id AND c.owner_id = o.owner_id AND c.store_id = o.store_id
    WHERE o.id = $1 AND o.owner_id = $2
"""
# The lines of a combo are its heading, which is what was ordered, and its parts.
SELECT_ORDER: Final = """
    SELECT coalesce(e.account_id = $3, o.customer_id IS NOT NULL) AS is_of_account,
        o.status, o.paid_at, o.currency, o.paid_minor, o.refunded_minor,
        o.subtotal_minor - o.discount_total_minor AS goods_minor,
        (SELECT coalesce(sum(l.quantity), 0) FROM core_order_line_v1 l
         WHERE l.order_id = o.id AND l.owner_id = $2
           AND (l.combo IS NULL OR coalesce((l.combo->>'is_heading')::boolean, false))) AS units,
        p.is_on, p.earn_by, p.points AS rate, p.min_order_minor,
        coalesce(e.earned_at <= $4::timestamptz - make_interval(months => p.expires_after_months), false)
            AS has_expired,
        e.goods_minor AS earned_goods_minor, e.points AS earned_points, e.earned_at,
        (SELECT coalesce(sum(n.points), 0) FROM loyalty_entry n
         WHERE n.account_id = $3 AND n.owner_id = $2 AND n.order_id = o.id
           AND n.kind IN ('earn', 'revoke')) AS standing
    FROM core_order_v1 o
    JOIN loyalty_programme p ON p.store_id = o.store_id AND p.owner_id = o.owner_id
    LEFT JOIN loyalty_order e ON e.order_id = o.id AND e.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""
UPSERT_EARNING_ORDER: Final = """
    INSERT INTO loyalty_order (order_id, owner_id, account_id, goods_minor, points, earned_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (order_id, owner_id) DO UPDATE SET goods_minor = EXCLUDED.goods_minor, points = EXCLUDED.points,
        earned_at = coalesce(loyalty_order.earned_at, EXCLUDED.earned_at)
"""


async def list_concerned(orders: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those of the orders, given as pairs of order id and owner id, that earn or have earned points."""
    if not orders:
        return []
    ids, owner_ids = zip(*orders, strict=True)
    return [(row["id"], row["owner_id"]) for row in await sql.fetch(SELECT_CONCERNED, list(ids), list(owner_ids))]


@sql.transaction()
async def update_earned(owner_id: int, order_id: int) -> None:
    """Write what an order earns more, or less, than the ledger says. Emits ``LoyaltyChanged``."""
    keys = await sql.fetch_one(SELECT_ACCOUNT_KEYS, order_id, owner_id)
    if keys is None or (keys["account_id"] is None and keys["customer_id"] is None):
        return
    account_id = keys["account_id"]
    if account_id is None:
        account_id = (await ledger.open_account(owner_id, keys["store_id"], keys["customer_id"])).id
    account = await ledger.lock_account(owner_id, account_id)
    # Read after the lock: what another process has written for this order is seen here.
    row = await sql.fetch_one(SELECT_ORDER, order_id, owner_id, account_id, clock.now())
    # Staff may have named another customer meanwhile, before the payment: its own event is still to come.
    if row is None or not row["is_of_account"]:
        return
    whole, earned_at = row["earned_points"], row["earned_at"] or clock.now()
    if row["is_on"] and row["paid_at"] is not None and row["earned_goods_minor"] != row["goods_minor"]:
        whole = compute_points(row)
        await sql.execute(UPSERT_EARNING_ORDER, order_id, owner_id, account_id, row["goods_minor"], whole, earned_at)
    target = compute_left(row, whole or 0)
    difference = target - row["standing"]
    # What has expired meanwhile is not taken back once more.
    if not difference or row["has_expired"]:
        return
    await ledger.write_entry(
        account,
        NewEntry(
            kind=LoyaltyEntryKind.EARN if difference > 0 else LoyaltyEntryKind.REVOKE,
            points=difference,
            actor=ACTOR,
            reference=await ledger.get_order_reference(account, order_id),
            order_id=order_id,
            earned_at=earned_at,
        ),
    )


async def get_earned(owner_id: int, order_id: int, account_id: int) -> int:
    """Return what an order earns, or would earn, for an account: by the programme of now until that is written."""
    row = await sql.fetch_one(SELECT_ORDER, order_id, owner_id, account_id, clock.now())
    if row is None or row["status"] == Status.CANCELLED:
        return 0
    if row["paid_at"] is None or row["earned_at"] is None:
        return compute_points(row) if row["is_on"] else 0
    return compute_left(row, row["earned_points"])


def compute_points(row: sql.Row) -> int:
    """Return what an order earns by the programme of now, if nothing of it is refunded."""
    goods_minor, rate = int(row["goods_minor"]), int(row["rate"])
    if goods_minor <= 0 or goods_minor < (row["min_order_minor"] or 0):
        return 0
    match EarnBy(row["earn_by"]):
        case EarnBy.AMOUNT:
            earned = goods_minor * rate // int(10 ** money.get_exponent(row["currency"]))
        case EarnBy.ORDER:
            earned = rate
        case EarnBy.ITEM:
            earned = int(row["units"]) * rate
    return min(earned, MAX_EARNED)


def compute_left(row: sql.Row, whole: int) -> int:
    """Return what is left of the points of an order: in proportion to what was not refunded, rounded up."""
    paid_minor, refunded_minor = int(row["paid_minor"]), int(row["refunded_minor"])
    if row["status"] == Status.CANCELLED or row["paid_at"] is None or paid_minor <= 0:
        return 0
    left_minor = min(max(paid_minor - refunded_minor, 0), paid_minor)
    return -(-whole * left_minor // paid_minor)
