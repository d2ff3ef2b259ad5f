"""Payments, refunds, gift cards and store credit on the wire. Amounts are in the currency's own unit, such as euro."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Amount, Body, Count, Id, Moment, Name, Number, ShortText, Text, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_payments.codes import LENGTH, normal


def _is_web_address(text: str) -> str:
    if not text.startswith(("https://", "http://")):
        raise ValueError("must be a web address")
    return text


MAX_LINES = 200
Code = Annotated[str, Field(max_length=40), AfterValidator(normal)]
Reason = Annotated[Name, Field(max_length=500)]
Note = Annotated[Text, Field(max_length=500)]
Drawer = Annotated[Name, Field(max_length=50)]
ReturnUrl = Annotated[ShortText, Field(max_length=255), AfterValidator(_is_web_address)]


class OwnPaymentBody(Body):
    """How a customer pays an order of theirs, all that is left of it unless an ``amount`` is given.

    ``code`` is that of a gift card. ``return_url`` is where the customer comes back to from a gateway's page.
    """

    model_config = example({"method": "gift_card", "code": "GPTK-7Q2M-X9RC-4HWD", "amount": 10.0})

    method: Annotated[ShortText, Field(max_length=30)]
    amount: Amount | None = None
    tip: Amount = 0
    code: Code | None = None
    return_url: ReturnUrl | None = None


class PaymentBody(OwnPaymentBody):
    """A tender of an order. ``amount`` is what is given towards the order, the ``tip`` not included.

    Without ``amount``, all that is left is paid. Only cash may be more than that: the rest is change. ``code`` is that
    of a gift card. ``return_url`` is where a person comes back to from a gateway's page. ``drawer`` is the cash drawer
    that cash goes into, where the store has several.
    """

    model_config = example({"method": "cash", "amount": 20.0, "tip": 1.5, "drawer": "Till 1"})

    reference: ShortText | None = None
    drawer: Drawer | None = None


class SplitBody(Body):
    """How to share what is left: in ``n`` even parts, by ``amounts``, or by the ``lines`` that each guest had.

    ``lines`` has a list of line ids for each guest; lines in none of them make one part more, as does what ``amounts``
    leave.
    """

    model_config = example({"by": "evenly", "n": 3})

    by: Literal["evenly", "amount", "lines"]
    n: Annotated[Count, Field(ge=1, le=100)] | None = None
    amounts: Annotated[list[Amount], Field(min_length=1, max_length=100)] | None = None
    lines: (
        Annotated[
            list[Annotated[list[Id], Field(min_length=1, max_length=MAX_LINES)]], Field(min_length=1, max_length=100)
        ]
        | None
    ) = None


class RefundLineBody(Body):
    """So many of one of the order's lines; with ``restock`` they go back into stock."""

    line_id: Id
    quantity: Annotated[Count, Field(ge=1)] | None = None
    restock: bool = False


class RefundBody(Body):
    """What to give back: an ``amount``, some ``lines``, or without either all that can be.

    A line without ``quantity`` is all of it that has not been given back. ``drawer`` is the cash drawer that cash comes
    from, where the store has several.
    """

    model_config = example({"reason": "Wrong item delivered", "amount": 9.5})

    reason: Reason
    amount: Amount | None = None
    lines: Annotated[list[RefundLineBody], Field(min_length=1, max_length=MAX_LINES)] | None = None
    drawer: Drawer | None = None


class GiftCardBody(Body):
    """A gift card to issue. ``customer_id`` is whose account shows it; whoever knows the code may spend it."""

    model_config = example({"amount": 50.0, "note": "Birthday present"})

    amount: Amount
    customer_id: Id | None = None
    expires_at: Moment | None = None
    note: Note | None = None


class GiftCardQuery(BaseModel):
    """Which cards to list: those of a customer, or whose code ends like this."""

    customer_id: Id | None = None
    code_last4: Annotated[str, Field(max_length=4), AfterValidator(normal)] | None = None


class AdjustmentBody(Body):
    """What to add to a balance, or with a minus to take from it, and why."""

    model_config = example({"amount": -5.0, "reason": "Issued twice"})

    amount: Number
    reason: Reason


class LookupBody(Body):
    """The code on a gift card, as it stands there."""

    model_config = example({"code": "GPTK-7Q2M-X9RC-4HWD"})

    code: Annotated[Code, Field(min_length=LENGTH)]


class CreditEntryBody(Body):
    """Credit to ``grant`` a customer, or to ``adjust`` up or, with a minus, down. The ``note`` says why."""

    model_config = example({"kind": "grant", "amount": 10.0, "note": "Apology for the delay"})

    kind: Literal["grant", "adjust"] = "grant"
    amount: Number
    note: Reason


class PaymentOut(BaseModel):
    """One tender of an order.

    ``amount`` counts towards the order's total, ``tip`` came on top, ``rounding`` is what cash rounding added or took.
    Of cash, ``tendered`` was handed over for the amount, and ``change`` given back. ``refunded`` has gone back of the
    amount, or is about to. A pending payment waits for a person at ``redirect_url``; one that cannot be reached yet has
    none until the gateway answers. ``failure`` says why a payment failed. ``driver_id`` is who took cash at the door.
    """

    id: int
    order_id: int
    restaurant_id: int
    method: str
    status: Literal["pending", "succeeded", "failed", "cancelled"]
    currency: str
    amount: float
    tip: float
    rounding: float
    tendered: float | None
    change: float
    refunded: float
    reference: str | None
    gift_card_id: int | None
    driver_id: int | None
    redirect_url: str | None
    instructions: str | None
    failure: str | None
    expires_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


class PaymentMade(PaymentOut):
    """A payment, and what is left of the order after it; of pending payments it is assumed that they will be made."""

    left: float
    payment_status: str


class SplitPart(BaseModel):
    """What one guest pays, and which lines are theirs if it was split by lines."""

    amount: float
    line_ids: list[int]


class SplitOut(BaseModel):
    """The parts add up to what is ``left`` of the order."""

    left: float
    currency: str
    parts: list[SplitPart]


class RefundLineOut(BaseModel):
    """So many of a line, and what went back for them."""

    line_id: int
    quantity: int
    amount: float
    restock: bool


class RefundPartOut(BaseModel):
    """What goes back of one payment, by the tender that it was made with; ``failure`` says why it could not."""

    payment_id: int
    method: str
    amount: float
    status: Literal["pending", "completed", "failed"]
    failure: str | None


class RefundOut(BaseModel):
    """Money of an order that goes back. It is pending until the gateway has done its part."""

    id: int
    order_id: int
    restaurant_id: int
    status: Literal["pending", "completed", "failed"]
    amount: float
    currency: str
    reason: str
    lines: list[RefundLineOut]
    parts: list[RefundPartOut]
    created_at: datetime
    completed_at: datetime | None


class EntryOut(BaseModel):
    """One change of a balance, which was ``balance`` after it."""

    id: int
    amount: float
    balance: float
    kind: Literal["issue", "grant", "spend", "refund", "adjust"]
    order_id: int | None
    note: str | None
    created_at: datetime


class GiftCardOut(BaseModel):
    """A gift card, known by the last four characters of its code."""

    id: int
    code_last4: str
    status: Literal["active", "blocked", "expired"]
    initial_amount: float
    balance: float
    currency: str
    customer_id: int | None
    note: str | None
    expires_at: datetime | None
    issued_at: datetime


class GiftCardWhole(GiftCardOut):
    """A gift card with the newest entries of its ledger, newest first."""

    entries: list[EntryOut]


class GiftCardIssued(GiftCardWhole):
    """A new gift card. Its ``code`` stands here and nowhere else; null in the answer to a repeat."""

    code: str | None


class OwnGiftCard(BaseModel):
    """A gift card as the customer sees it whose it is."""

    id: int
    code_last4: str
    status: Literal["active", "blocked", "expired"]
    initial_amount: float
    balance: float
    currency: str
    expires_at: datetime | None
    issued_at: datetime


class CreditSummary(BaseModel):
    """A customer's store credit."""

    customer_id: int
    balance: float
    currency: str


class CreditOut(CreditSummary):
    """A customer's store credit with the newest entries of its ledger, newest first."""

    entries: list[EntryOut]


class OwnCredit(BaseModel):
    """The store credit of the customer who asks, with the newest entries of its ledger, newest first."""

    balance: float
    currency: str
    entries: list[EntryOut]


class DriverCashOut(BaseModel):
    """The cash of a store that a driver holds, and since when they have held any.

    ``driver_name`` is the name that the driver had when they last took cash.
    """

    driver_id: int
    driver_name: str
    restaurant_id: int
    amount: float
    currency: str
    since: datetime | None


class DriverCashEntryOut(BaseModel):
    """One change of the cash that a driver holds, which was ``balance`` after it."""

    id: int
    kind: Literal["collected", "refunded", "handed_in"]
    amount: float
    balance: float
    order_id: int | None
    payment_id: int | None
    refund_id: int | None
    actor: str
    created_at: datetime


class DriverCashWhole(DriverCashOut):
    """The cash that a driver holds, with the newest 100 changes, newest first."""

    entries: list[DriverCashEntryOut]


class Received(BaseModel):
    """The callback was understood."""

    received: bool
