"""Amounts in requests and error messages."""

from comanda.basics import ValidationFailed, money


def parse_amount_minor(amount: float, currency: str, field: str) -> int:
    """Parse an amount into minor units. Raises ``ValidationFailed`` if it has too many decimals for the currency."""
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error


def format_amount(amount_minor: int, currency: str) -> str:
    """Format an amount for a message, such as ``12.50 EUR``."""
    return f"{money.to_decimal_string(amount_minor, currency)} {currency}"
