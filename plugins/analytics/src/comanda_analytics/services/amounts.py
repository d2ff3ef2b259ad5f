"""The amounts of orders that are added up by day, and their columns in SQL."""

from collections.abc import Sequence
from typing import Final

from comanda.orders import KEPT

# Columns of ``analytics_order``, of ``analytics_day``, and of every query of totals.
AMOUNTS: Final = ("total_minor", "kept_minor", "service_charge_minor", "delivery_fee_minor", "charges_minor")
# The same of the order ``o``.
AMOUNTS_OF_ORDER: Final = (
    f"o.total_minor, {KEPT} AS kept_minor, o.service_charge_minor, o.delivery_fee_minor, o.charges_minor"
)


def list_columns(columns: Sequence[str], expression: str = "{0}") -> str:
    """Return an SQL list with one expression for each column, such as ``sum({0})``."""
    return ", ".join(expression.format(column) for column in columns)
