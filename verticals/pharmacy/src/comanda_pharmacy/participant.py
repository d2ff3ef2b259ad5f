"""The order participant that requires a confirmation of age for age-restricted items."""

from typing import Any, Final

from comanda.contracts.order_participants import Errors, OrderParticipant, OrderRequest

from comanda_pharmacy.item_capabilities import AGE_GATE
from comanda_pharmacy.schemas import AgeConfirmation


def check_age(order: OrderRequest) -> Errors:
    """Return an error for each age-restricted item of an order that does not confirm the customer's age.

    Orders without such items do not keep a confirmation.
    """
    gated = [item for item in _list_items(order) if item["attributes"].get("age_min")]
    if not gated:
        order.attributes.pop("age_confirmed", None)
        return {}
    if order.attributes.get("age_confirmed"):
        return {}
    return {"age_confirmed": [_to_message(item["name"], item["attributes"]["age_min"]) for item in gated]}


def _list_items(order: OrderRequest) -> list[dict[str, Any]]:
    return [dict(order.items[item_id]) for item_id in dict.fromkeys(line.item_id for line in order.lines)]


def _to_message(name: str, age: int) -> str:
    return f"{name} is sold from the age of {age}: confirm that the customer is old enough."


AGE_PARTICIPANT: Final = OrderParticipant(
    AGE_GATE.code, capability=AGE_GATE.code, fields=AgeConfirmation, validate=check_age
)
