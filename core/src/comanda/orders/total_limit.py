"""The largest total of an order, so that all figures and their sums fit into their columns."""

from comanda.basics import money
from comanda.orders.pricing import Quote
from comanda.platform import runtime


def check_total(quote: Quote, currency: str) -> dict[str, list[str]]:
    """Return the errors about the total of a priced order, by field.

    No figure of a quote is larger than its subtotal or its total; a discount can make either the larger one.
    """
    largest = max(quote.subtotal_minor, quote.total_minor)
    limit = runtime.settings().max_order_total_minor
    if largest <= limit:
        return {}
    total, max_total = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (largest, limit))
    return {"items": [f"An order may total at most {max_total}; this one totals {total}."]}
