"""Request and response bodies of the account on a store's page."""

from typing import Annotated

from comanda.contracts import Body, Count, Id, Name, ShortText, Text
from pydantic import BaseModel, Field

from comanda_customers.records.customers import PastOrder, SavedAddress

MAX_LINES = 100
MAX_QUANTITY = 999


class CartLine(Body):
    """A line of a cart; ``name``, ``details`` and ``unit`` are what the guest saw when they added it."""

    item: Id
    variation: Id | None = None
    extras: Annotated[list[Id], Field(max_length=100)] = []
    quantity: Annotated[Count, Field(ge=1, le=MAX_QUANTITY)]
    note: Annotated[Text, Field(max_length=500)] = ""
    name: ShortText = ""
    details: Text = ""
    unit: Count = 0


class CartChange(Body):
    """All lines of a cart, and the version of the cart that they replace."""

    lines: Annotated[list[CartLine], Field(max_length=MAX_LINES)]
    version: Count


class CartOut(BaseModel):
    """A cart in its current version. ``is_saved`` is false if another device had changed it, which is to be merged."""

    lines: list[CartLine]
    version: int
    is_saved: bool = True


class NameChange(Body):
    """The customer's name."""

    name: Name


class CustomerView(BaseModel):
    """The signed-in customer as the page shows them."""

    id: int
    name: str | None
    email: str | None
    phone: str | None


class Account(BaseModel):
    """Who is signed in, with their cart and their addresses, newest first; without a customer nobody is."""

    customer: CustomerView | None = None
    cart: CartOut | None = None
    addresses: list[SavedAddress] = []


class SavedAddresses(BaseModel):
    """The customer's saved addresses, newest first."""

    addresses: list[SavedAddress]


class PastOrders(BaseModel):
    """The customer's latest orders, newest first."""

    orders: list[PastOrder]
