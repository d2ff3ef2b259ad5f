"""The order participants of pharmacies: confirmed ages, maximum quantities, releases by a pharmacist, and batches."""

from typing import Final

from comanda.contracts import Contribution, OfferedItem, OrderParticipant, OrderRequest, Problem

from comanda_pharmacy.item_capabilities import AGE_GATE, MEDICINE
from comanda_pharmacy.schemas import AgeConfirmation
from comanda_pharmacy.services import batch_steps, quantity_limits, release_steps

KEEPS_NO_CONFIRMATION: Final = Contribution(omitted_fields=frozenset({"age_confirmed"}))


def check_age(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return a problem for each age-restricted item of an order that does not confirm the customer's age.

    Orders without such items do not keep a confirmation.
    """
    gated = [item for item in _list_items(request) if item.attributes.get("age_min")]
    if not gated:
        return KEEPS_NO_CONFIRMATION
    if request.fields.get("age_confirmed"):
        return None
    messages = (_to_message(item.name, item.attributes["age_min"]) for item in gated)
    return Contribution(problems=[Problem("age_confirmed", message) for message in messages])


def _list_items(request: OrderRequest) -> list[OfferedItem]:
    return [request.items[item_id] for item_id in dict.fromkeys(line.item_id for line in request.lines)]


def _to_message(name: str, age: int) -> str:
    return f"{name} is sold from the age of {age}: confirm that the customer is old enough."


AGE_PARTICIPANT: Final = OrderParticipant(
    AGE_GATE.code, capability=AGE_GATE.code, fields=AgeConfirmation, validate=check_age
)
LIMIT_PARTICIPANT: Final = OrderParticipant(
    "pharmacy_limits",
    capability=MEDICINE.code,
    concerns=quantity_limits.has_limits,
    validate=quantity_limits.check_quantities,
)
RELEASE_PARTICIPANT: Final = OrderParticipant(
    "pharmacy_release",
    capability=MEDICINE.code,
    concerns=release_steps.needs_release,
    validate=release_steps.mark,
    placed=release_steps.request_release,
    amended=release_steps.update_release,
    moved=release_steps.follow_status,
    handed_over=release_steps.hold_delivery,
)
BATCH_PARTICIPANT: Final = OrderParticipant(
    "pharmacy_batches",
    capability=MEDICINE.code,
    concerns=batch_steps.has_batches,
    placed=batch_steps.take,
    amended=batch_steps.amend,
    moved=batch_steps.follow_status,
)
