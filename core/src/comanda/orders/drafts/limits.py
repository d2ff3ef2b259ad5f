"""The largest tip and the largest total: guards against mistyped amounts, and so that all figures fit into columns."""

from typing import Final

from comanda.basics import money
from comanda.basics.sentences import Sentence
from comanda.orders.drafts.pricing import Quote
from comanda.platform import runtime

MAX_TIP_TIMES_SUBTOTAL: Final = 10
MAX_TIP_UNITS: Final = 1000
# Of an order of any channel; each item of a combo is a line.
MAX_LINES: Final = 200


def max_tip_minor(subtotal_minor: int, currency: str) -> int:
    """Return ten times the subtotal or a thousand units of the currency, whichever is larger."""
    units: int = 10 ** money.get_exponent(currency)
    return max(subtotal_minor * MAX_TIP_TIMES_SUBTOTAL, MAX_TIP_UNITS * units)


def check_total(quote: Quote, currency: str) -> dict[str, list[str]]:
    """Return the errors about the total of a priced order, by field.

    No figure of a quote is larger than its subtotal or its total; a discount can make either the larger one.
    """
    largest = max(quote.subtotal_minor, quote.total_minor)
    limit = runtime.settings().max_order_total_minor
    if largest <= limit:
        return {}
    total, max_total = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (largest, limit))
    return {
        "items": [
            Sentence("An order may total at most %(max)s; this one totals %(total)s.", max=max_total, total=total)
        ]
    }
