"""The tables of the ledger: wallets, entries and their legs."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.models import Model


class EntryKind(StrEnum):
    """The kind of an entry: why a wallet's balance changed; a fee that was withheld outside leaves it as it is."""

    TOP_UP = "top_up"
    USAGE = "usage"
    SUBSCRIPTION = "subscription"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    FEE = "fee"


CHARGE_KINDS = (EntryKind.USAGE, EntryKind.SUBSCRIPTION)


class Account(StrEnum):
    """The accounts between which amounts move.

    ``wallet`` and ``earnings`` are one per owner; ``revenue`` is the platform's, ``cash`` the money outside.
    """

    WALLET = "wallet"
    EARNINGS = "earnings"
    REVENUE = "revenue"
    CASH = "cash"


class Wallet(Model):
    """The balance of an owner, its limits, and whether it is below the owner's threshold.

    The balance is that of the newest entry, and never below minus the credit limit.
    """

    owner_id = fields.BigIntField(primary_key=True, generated=False)
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField(default=0)
    credit_limit_minor = fields.BigIntField(default=0)
    low_balance_minor = fields.BigIntField(null=True)
    is_low = fields.BooleanField(default=False)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "wallet_wallet"


class Entry(OwnerRow):
    """One change of a wallet's balance. ``amount_minor`` is signed for the wallet: a charge is negative.

    ``charge_id`` is the charge that a refund reverses.
    """

    kind = fields.CharField(max_length=12)
    amount_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField()
    reference = fields.CharField(max_length=200)
    description = fields.CharField(max_length=255)
    actor = fields.CharField(max_length=100)
    charge_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "wallet_entry"


class Leg(OwnerRow):
    """One side of an entry: an amount that an account gained or lost. The legs of an entry sum to zero.

    ``owner_id`` is the owner of the entry, ``account_owner_id`` that of the account, None for the platform's accounts.
    """

    entry_id = fields.BigIntField()
    account = fields.CharField(max_length=10)
    account_owner_id = fields.BigIntField(null=True)
    amount_minor = fields.BigIntField()

    class Meta:
        table = "wallet_leg"
