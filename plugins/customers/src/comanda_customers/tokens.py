"""Tokens of customers: one for each device, for one store, each revocable alone."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.accounts import services as accounts
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import CallerKind
from comanda.errors import NotFound, ValidationFailed

from comanda_customers.models import Customer

CUSTOMER: Final = CallerKind(
    code="customer", prefix="cus_", lifetime=timedelta(days=180), is_sliding=True, is_audited=False
)

# A customer may do what every customer may, with what is theirs; there is nothing to choose from.
SCOPES: Final[Sequence[str]] = ("customer",)

MAX_DEVICE = 100


async def issue_token(owner_id: int, store_id: int, customer_id: int, device: str) -> IssuedToken:
    """Make a token for a customer's device, good for 180 days after its last use.

    ``device`` is what the customer will know the token by, such as "Ada's phone". Raises ``NotFound`` for a customer of
    another store or owner, ``ValidationFailed`` for a label that is blank or longer than ``MAX_DEVICE``.
    """
    label = device.strip()
    if not 0 < len(label) <= MAX_DEVICE:
        raise ValidationFailed(device=[f"Must have 1 to {MAX_DEVICE} characters."])
    if not await Customer.exists(id=customer_id, owner_id=owner_id, store_id=store_id):
        raise NotFound
    return await accounts.issue_token(CUSTOMER, owner_id, SCOPES, name=label, store_id=store_id, subject_id=customer_id)
