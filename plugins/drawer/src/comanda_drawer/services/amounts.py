"""Parsing of amounts in request bodies."""

from comanda.basics import ValidationFailed, money


def parse_amount(amount: float, currency: str, field: str) -> int:
    """Return an amount in minor units. Raises ``ValidationFailed`` on ``field`` if the currency cannot express it."""
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error
