"""Events of customers."""

from typing import Annotated

from comanda.contracts import Event, Personal
from pydantic import Field

PersonalText = Annotated[str | None, Personal("customers:read")]


class CustomerCreated(Event):
    """A customer was created, by ``register``, ``otp`` or ``owner``. Not sent when an existing customer logs in."""

    name = "customer.created"
    scope = "customers:read"
    sample = {
        "id": 311,
        "restaurant_id": 7,
        "name": "Ada Lovelace",
        "email": "ada@example.com",
        "phone": "+351912345678",
        "source": "register",
    }
    personal = ("name", "email", "phone")

    id: int
    restaurant_id: int
    name_: PersonalText = Field(serialization_alias="name")
    email: PersonalText
    phone: PersonalText
    source: str


class CustomerErased(Event):
    """A customer's personal data was erased, by the customer or the owner. Erase your copy of it too.

    Not sent when a customer logs out or an owner edits a guest.
    """

    name = "customer.erased"
    scope = "customers:read"
    sample = {"id": 311, "restaurant_id": 7}

    id: int
    restaurant_id: int
