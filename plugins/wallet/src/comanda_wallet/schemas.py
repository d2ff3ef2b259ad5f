"""Requests about wallets, and answers of which the records hold the minor units."""

from datetime import datetime

from comanda.basics import Money
from comanda.contracts import Amount, Body, Moment, example
from pydantic import BaseModel, ConfigDict, Field

from comanda_wallet.models import EntryKind


class WalletOut(BaseModel):
    """The wallet of an owner.

    ``available`` is the largest amount that can be charged now: the balance and the ``credit_limit``. Below
    ``low_balance``, null for none, the owner receives one message; ``is_low`` says that the balance is below it.
    """

    balance: Money
    credit_limit: Money
    available: Money
    currency: str
    low_balance: Money | None
    is_low: bool


class WalletChange(Body):
    """Changes to a wallet. ``low_balance`` is the balance below which the owner receives a message, null for none."""

    model_config = example({"low_balance": 10.0})

    low_balance: Amount | None = None


class EntryQuery(BaseModel):
    """Filters for a list of entries: one kind, and those written from a moment on and before another."""

    model_config = ConfigDict(populate_by_name=True)

    kind: EntryKind | None = None
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None


class WalletEntryOut(BaseModel):
    """One change of the balance: a charge is negative. ``balance`` is the one after it."""

    id: int
    kind: EntryKind
    amount: Money
    balance: Money
    currency: str
    reference: str
    description: str
    created_at: datetime


class EarningsOut(BaseModel):
    """What a developer has earned through charges of other owners: ``balance`` is ``earned`` less ``refunded``."""

    balance: Money
    earned: Money
    refunded: Money
    currency: str
