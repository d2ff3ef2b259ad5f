"""What the demo bank keeps: charges that wait for a person, card readers, refunds, payouts. Amounts in minor units."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields


class ChargeState(StrEnum):
    """The state of a charge; all but ``open`` are final."""

    OPEN = "open"
    PAID = "paid"
    DECLINED = "declined"
    CLOSED = "closed"


class Charge(OwnerRow):
    """One charge by the ``key`` of its payment; ``reference`` is in its address.

    ``dispute`` is the state of the dispute of a paid one, which the guest opens and the bank decides. ``payout_id`` is
    the payout that it is in, ``dispute_payout_id`` the one that its lost dispute is in.
    """

    account_id = fields.BigIntField()
    key = fields.CharField(max_length=100)
    reference = fields.CharField(max_length=100)
    state = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    fee_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    description = fields.CharField(max_length=255)
    return_url = fields.CharField(max_length=255)
    expires_at = fields.DatetimeField()
    reader = fields.CharField(max_length=100, null=True)
    dispute = fields.CharField(max_length=20, null=True)
    disputed_at = fields.DatetimeField(null=True)
    payout_id = fields.BigIntField(null=True)
    dispute_payout_id = fields.BigIntField(null=True)

    class Meta:
        table = "demobank_charge"


class Reader(OwnerRow):
    """A card reader of an account, which is a page; ``reference`` is in its address."""

    account_id = fields.BigIntField()
    reference = fields.CharField(max_length=100)
    name = fields.CharField(max_length=100)
    is_online = fields.BooleanField(default=True)

    class Meta:
        table = "demobank_reader"


class Refund(OwnerRow):
    """One refund of a charge by its ``key``."""

    charge_id = fields.BigIntField()
    key = fields.CharField(max_length=100)
    amount_minor = fields.BigIntField()
    payout_id = fields.BigIntField(null=True)

    class Meta:
        table = "demobank_refund"


class Payout(OwnerRow):
    """What the bank pays out of an account; ``reference`` is its name outside."""

    account_id = fields.BigIntField()
    reference = fields.CharField(max_length=100)
    state = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    created_at = fields.DatetimeField()

    class Meta:
        table = "demobank_payout"
