"""The age gate's part in orders: somebody has to say that the customer is old enough."""

from typing import Any

from comanda.contracts.order_participants import Errors, OrderRequest


def check_age(order: OrderRequest) -> Errors:
    """Refuse an order for items with an age unless it confirms it; other orders keep no word about ages."""
    gated = [item for item in _items(order) if item["attributes"].get("age_min")]
    if not gated:
        order.attributes.pop("age_confirmed", None)
        return {}
    if order.attributes.get("age_confirmed"):
        return {}
    return {"age_confirmed": [_sentence(item["name"], item["attributes"]["age_min"]) for item in gated]}


def _items(order: OrderRequest) -> list[dict[str, Any]]:
    return [dict(order.items[item_id]) for item_id in dict.fromkeys(line.item_id for line in order.lines)]


def _sentence(name: str, age: int) -> str:
    return f"{name} is sold from the age of {age}: confirm that the customer is old enough."
