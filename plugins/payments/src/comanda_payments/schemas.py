"""Bodies and filters of requests, and what customers see of their gift cards and store credit.

Amounts are in the major unit, such as euros.
"""

from datetime import datetime
from typing import Annotated, Literal

from comanda.basics import Money
from comanda.contracts import (
    MAX_CREDENTIAL_LENGTH,
    MAX_READER_LENGTH,
    MAX_READER_NAME_LENGTH,
    NOT_BLANK,
    Amount,
    Body,
    ClientKey,
    Count,
    Email,
    ExactBody,
    Id,
    Moment,
    Name,
    Number,
    Percent,
    ShortText,
    Text,
    example,
)
from pydantic import AfterValidator, BaseModel, Field

from comanda_payments.models import GiftCardStatus, PrepaymentKind, PrepaymentStatus
from comanda_payments.records.balances import LedgerEntry
from comanda_payments.services.balances.gift_card_codes import CODE_LENGTH, normalize_code


def _validate_web_address(text: str) -> str:
    if not text.startswith(("https://", "http://")):
        raise ValueError("must be a web address")
    return text


MAX_LINES = 200
Code = Annotated[str, Field(max_length=40), AfterValidator(normalize_code)]
Reason = Annotated[Name, Field(max_length=500)]
Note = Annotated[Text, Field(max_length=500)]
Drawer = Annotated[Name, Field(max_length=50)]
Credentials = Annotated[
    dict[Annotated[str, Field(max_length=30)], Annotated[str, Field(max_length=MAX_CREDENTIAL_LENGTH)]],
    Field(max_length=10),
]
ReaderReference = Annotated[Name, Field(max_length=MAX_READER_LENGTH)]
ReaderName = Annotated[Name, Field(max_length=MAX_READER_NAME_LENGTH)]
ReturnUrl = Annotated[ShortText, Field(max_length=255), AfterValidator(_validate_web_address)]


class OwnPaymentBody(Body):
    """A payment of a customer's own order, for the whole amount due unless an ``amount`` is given.

    ``code`` is that of a gift card. The gateway's page redirects to ``return_url``.
    """

    model_config = example({"method": "gift_card", "code": "GPTK-7Q2M-X9RC-4HWD", "amount": 10.0})

    method: Annotated[ShortText, Field(max_length=30)]
    amount: Amount | None = None
    tip: Amount = 0
    code: Code | None = None
    return_url: ReturnUrl | None = None


class PaymentBody(OwnPaymentBody):
    """A payment of an order. ``amount`` is what is paid towards the order, without the ``tip``.

    Without ``amount``, the whole amount due is paid. Only cash may exceed it: the rest is change. ``code`` is that of a
    gift card. The gateway's page redirects to ``return_url``. ``drawer`` is the cash drawer that cash goes into, if the
    store has several. With a ``reader`` the guest pays on that card reader, to the provider that is the ``method``.
    """

    model_config = example({"method": "cash", "amount": 20.0, "tip": 1.5, "drawer": "Till 1"})

    reference: ShortText | None = None
    drawer: Drawer | None = None
    reader: ReaderReference | None = None


class SplitBody(Body):
    """How to split the amount due: into ``n`` equal parts, by ``amounts``, or by the ``lines`` of each guest.

    ``lines`` has a list of line ids for each guest. Lines that are in none of them, or what ``amounts`` leave, make one
    more part.
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
    """A quantity of one of the order's lines to refund; with ``restock`` it goes back into stock."""

    line_id: Id
    quantity: Annotated[Count, Field(ge=1)] | None = None
    restock: bool = False


class RefundBody(Body):
    """What to refund: an ``amount``, some ``lines``, or everything if neither is given.

    A line without ``quantity`` is refunded in full. ``method`` is what a share of a blocked or expired gift card goes
    to instead. ``drawer`` is the cash drawer that cash comes from, if the store has several.
    """

    model_config = example({"reason": "Wrong item delivered", "amount": 9.5})

    reason: Reason
    amount: Amount | None = None
    lines: Annotated[list[RefundLineBody], Field(min_length=1, max_length=MAX_LINES)] | None = None
    method: Literal["cash", "card_external", "store_credit"] | None = None
    drawer: Drawer | None = None


class GiftCardBody(Body):
    """A gift card to issue. It is listed in the account of ``customer_id``; anyone with the code can spend it."""

    model_config = example({"amount": 50.0, "note": "Birthday present"})

    amount: Amount
    customer_id: Id | None = None
    expires_at: Moment | None = None
    note: Note | None = None


class GiftCardQuery(BaseModel):
    """Filters for gift cards: by customer, or by the last characters of the code."""

    customer_id: Id | None = None
    code_last4: Annotated[str, Field(max_length=4), AfterValidator(normalize_code)] | None = None


class GiftCardSaleBody(Body):
    """A gift card that a guest buys on a store's page; its code is sent to the ``email``."""

    amount: Amount
    email: Annotated[Email, NOT_BLANK]
    client_uuid: ClientKey


class GuestPaymentOut(BaseModel):
    """Where a guest pays, or the page of what was paid."""

    url: str


class PrepaymentQuery(BaseModel):
    """Filters for prepayments."""

    kind: PrepaymentKind | None = None
    status: PrepaymentStatus | None = None


class PrepaymentRefundBody(Body):
    """Why a deposit is refunded, and how much of it; without ``amount`` all that is left.

    ``drawer`` is the cash drawer from which cash is given back, if the store has several.
    """

    model_config = example({"reason": "The kitchen is closed that evening"})

    reason: Reason
    amount: Amount | None = None
    drawer: Drawer | None = None


class PrepaymentApplicationBody(Body):
    """The order that a deposit is applied to."""

    model_config = example({"order_id": 1024})

    order_id: Id


class AdjustmentBody(Body):
    """An amount to add to a balance, negative to deduct, and the reason."""

    model_config = example({"amount": -5.0, "reason": "Issued twice"})

    amount: Number
    reason: Reason


class LookupBody(Body):
    """The code of a gift card, as printed."""

    model_config = example({"code": "GPTK-7Q2M-X9RC-4HWD"})

    code: Annotated[Code, Field(min_length=CODE_LENGTH)]


class CreditEntryBody(Body):
    """Store credit to ``grant``, or to ``adjust`` up or down (negative). The ``note`` is the reason."""

    model_config = example({"kind": "grant", "amount": 10.0, "note": "Apology for the delay"})

    kind: Literal["grant", "adjust"] = "grant"
    amount: Number
    note: Reason


class OwnGiftCard(BaseModel):
    """A gift card as its customer sees it."""

    id: int
    code_last4: str
    status: GiftCardStatus
    initial_amount: Money
    balance: Money
    currency: str
    expires_at: datetime | None
    issued_at: datetime


class OwnCredit(BaseModel):
    """The store credit of the calling customer, with the newest entries of its ledger, newest first."""

    balance: Money
    currency: str
    entries: list[LedgerEntry]


class PaymentAccountBody(Body):
    """An account to connect at a ``provider``, for a store or, without ``restaurant_id``, for all that have none.

    ``credentials`` are the fields of the provider; without them the account is completed on the provider's page.
    """

    model_config = example({"provider": "stripe", "credentials": {"secret_key": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"}})

    provider: Annotated[ShortText, Field(max_length=30)]
    restaurant_id: Id | None = None
    credentials: Credentials = {}


class CredentialsBody(Body):
    """Other ``credentials`` of the same account at the provider, such as a new key."""

    model_config = example({"credentials": {"secret_key": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"}})

    credentials: Credentials


class AccountPageBody(Body):
    """Where the provider's page leads back to."""

    model_config = example({"return_url": "https://shop.example/payments"})

    return_url: ReturnUrl


class CardReaderBody(Body):
    """A card reader to register: the ``code`` that it shows, where the provider needs one, and a name for it."""

    model_config = example({"name": "Bar", "code": "simulated-wpe"})

    name: ReaderName
    code: Annotated[Text, Field(max_length=100)] = ""


class CardReaderNameBody(Body):
    """Another name for a card reader."""

    model_config = example({"name": "Terrace"})

    name: ReaderName


class Received(BaseModel):
    """The webhook was received."""

    received: bool


class FeeBody(ExactBody):
    """The operator's fee of an online payment: ``percent`` of it and a fixed amount, in one store or in all."""

    store_id: Id | None = None
    percent: Percent
    fixed: Amount = 0
