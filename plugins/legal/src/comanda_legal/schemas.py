"""Bodies and filters of requests about withdrawals."""

from typing import Annotated

from comanda.contracts import NOT_BLANK, Body, ClientKey, Email, Name, ShortText, Text
from pydantic import BaseModel, Field

MAX_ITEMS_LENGTH = 500
MAX_PHONE_LENGTH = 50

RequiredEmail = Annotated[Email, NOT_BLANK]
Contract = Annotated[ShortText, NOT_BLANK]
Items = Annotated[Text, Field(max_length=MAX_ITEMS_LENGTH)]
Phone = Annotated[ShortText, Field(max_length=MAX_PHONE_LENGTH)]


class WithdrawalForm(Body):
    """Who withdraws from which contract, and where the acknowledgement is sent. No ``items`` mean all of it."""

    name: Name
    contract: Contract
    email: RequiredEmail
    phone: Phone = ""
    items: Items = ""


class WithdrawalBody(WithdrawalForm):
    """A statement that was confirmed."""

    client_uuid: ClientKey


class WithdrawalOut(BaseModel):
    """The page of the acknowledgement."""

    url: str


class WithdrawalQuery(BaseModel):
    """Filters for withdrawals: those that were handled, or those that were not."""

    is_handled: bool | None = None
