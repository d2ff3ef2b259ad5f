"""Amounts in error messages."""

from comanda.basics import money


def format_amount(amount_minor: int, currency: str) -> str:
    """Format an amount for a message, such as ``12.50 EUR``."""
    return f"{money.to_decimal_string(amount_minor, currency)} {currency}"
