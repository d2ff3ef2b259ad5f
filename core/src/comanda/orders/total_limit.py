"""The most that one order may come to, so that every figure of it, and what many add up to, can be stored."""

from comanda import money, runtime
from comanda.orders.pricing import Quote


def check_total(quote: Quote, currency: str) -> dict[str, list[str]]:
    """Return what is wrong with the total of a priced order, by field.

    No figure of a quote is larger than its subtotal or its total. A discount may bring the one below the other, so
    both are checked.
    """
    largest = max(quote.subtotal_minor, quote.total_minor)
    limit = runtime.settings().max_order_total_minor
    if largest <= limit:
        return {}
    asked, most = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (largest, limit))
    return {"items": [f"An order may come to at most {most}; this one comes to {asked}."]}
