"""Access tokens of customers: one per device and store, each revocable on its own."""

from collections.abc import Sequence
from typing import Final

from comanda.accounts import IssuedToken
from comanda.accounts import services as accounts
from comanda.basics import NotFound, Sentence, ValidationFailed

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Customer

# All customers have the same permissions, limited to their own data.
SCOPES: Final[Sequence[str]] = ("customer",)

MAX_DEVICE_NAME_LENGTH = 100


async def issue_token(owner_id: int, store_id: int, customer_id: int, device: str) -> IssuedToken:
    """Issue a token for a customer's device, valid for 180 days after its last use.

    ``device`` is the name the customer recognises the token by, such as "Ada's phone". Raises ``NotFound`` for a
    customer of another store or owner, ``ValidationFailed`` for a name that is blank or too long.
    """
    label = device.strip()
    if not 0 < len(label) <= MAX_DEVICE_NAME_LENGTH:
        raise ValidationFailed(device=[Sentence("Must have 1 to %(limit)s characters.", limit=MAX_DEVICE_NAME_LENGTH)])
    if not await Customer.exists(id=customer_id, owner_id=owner_id, store_id=store_id):
        raise NotFound
    return await accounts.issue_token(CUSTOMER, owner_id, SCOPES, name=label, store_id=store_id, subject_id=customer_id)
