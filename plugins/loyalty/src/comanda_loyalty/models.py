"""The tables of loyalty: programmes with their rewards, accounts, and the ledger of their points."""

from enum import StrEnum

from tortoise import fields
from tortoise.models import Model


class EarnBy(StrEnum):
    """What points are for: each whole unit of the currency, or, as stamps, each order or each item."""

    AMOUNT = "amount"
    ORDER = "order"
    ITEM = "item"


class RewardType(StrEnum):
    """What a reward takes off: a percentage or an amount of the order, or one unit of an item."""

    PERCENTAGE = "percentage"
    FIXED = "fixed"
    ITEM = "item"


class LoyaltyEntryKind(StrEnum):
    """Why the points of a customer changed."""

    EARN = "earn"
    REVOKE = "revoke"
    REDEEM = "redeem"
    RESTORE = "restore"
    EXPIRE = "expire"
    ADJUST = "adjust"


class LedgerAccount(StrEnum):
    """The sides of an entry: the customer, and what the store has given for orders, rewards, time or by hand."""

    CUSTOMER = "customer"
    EARNED = "earned"
    REDEEMED = "redeemed"
    EXPIRED = "expired"
    ADJUSTED = "adjusted"


class Programme(Model):
    """How customers of a store collect points; no row, as ``is_on`` false, means not at all.

    ``points`` are those for each unit of ``earn_by``. Points expire ``expires_after_months`` after they were earned,
    null is never.
    """

    store_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    is_on = fields.BooleanField()
    earn_by = fields.CharField(max_length=10)
    points = fields.IntField()
    min_order_minor = fields.BigIntField(null=True)
    expires_after_months = fields.SmallIntField(null=True)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "loyalty_programme"


class Reward(Model):
    """What customers get for ``points``: exactly one of the values or the item is set, by its type.

    An item that is deleted leaves a reward that applies to nothing. The row of a deleted reward stays for a while, for
    open orders that have it.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=80)
    type = fields.CharField(max_length=10)
    value_ppm = fields.IntField(null=True)
    value_minor = fields.BigIntField(null=True)
    item_id = fields.BigIntField(null=True)
    points = fields.IntField()
    is_active = fields.BooleanField()
    created_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "loyalty_reward"


class Account(Model):
    """The points of a customer of a store. The balance is the sum of the entries; refunds may make it negative."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    customer_id = fields.BigIntField()
    balance = fields.BigIntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "loyalty_account"


class Entry(Model):
    """One change of an account. ``points`` are signed for the customer, and ``balance`` is what it left.

    ``reference`` names what the entry is for, once for an account; an adjustment has the key of its request instead.
    ``earned_at`` is set for entries of points that expire: when those were earned, which for the points that a refund
    revokes is the time of the order's payment.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    account_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    points = fields.BigIntField()
    balance = fields.BigIntField()
    reference = fields.CharField(max_length=80, null=True)
    order_id = fields.BigIntField(null=True)
    note = fields.CharField(max_length=500, null=True)
    actor = fields.CharField(max_length=50)
    earned_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "loyalty_entry"


class Leg(Model):
    """One side of an entry: the points that an account gained or lost. The legs of an entry sum to zero."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    entry_id = fields.BigIntField()
    account = fields.CharField(max_length=10)
    points = fields.BigIntField()

    class Meta:
        table = "loyalty_leg"


class EarningOrder(Model):
    """An order that has earned points: how many for ``goods_minor``, by the programme of then, if nothing is refunded.

    What a refund takes back does not depend on how the programme was changed since. An order whose customer staff have
    named has a row before it is paid, with 0 points and no ``earned_at``.
    """

    order_id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    account_id = fields.BigIntField()
    goods_minor = fields.BigIntField()
    points = fields.BigIntField()
    earned_at = fields.DatetimeField(null=True)

    class Meta:
        table = "loyalty_order"
