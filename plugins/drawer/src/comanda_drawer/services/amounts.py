"""Amounts of bodies in minor units, with refusals that name the field."""

from comanda import money
from comanda.errors import ValidationFailed


def parse_amount(amount: float, currency: str, field: str) -> int:
    """Read an amount in minor units. Raises ``ValidationFailed`` for one that its currency cannot express."""
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error
