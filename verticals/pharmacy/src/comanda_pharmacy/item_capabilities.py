"""The item capabilities of a pharmacy: the minimum age, and how medicines are sold."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import ItemCapability, Values
from comanda.web import N_
from comanda.web import gettext as _

from comanda_pharmacy.schemas import AgeFields, MedicineFields


def list_badges(values: Values) -> Sequence[str]:
    """Return that an item is sold on prescription alone, if it is."""
    return [_("Prescription only")] if values.get("is_prescription_only") else []


def list_facts(values: Values) -> Sequence[str]:
    """Return how many of an item an order may have."""
    maximum = values.get("max_per_order")
    return [_("At most %(number)s per order", number=maximum)] if maximum else []


AGE_GATE: Final = ItemCapability("age_gate", "Age restriction", AgeFields)
MEDICINE: Final = ItemCapability("medicine", N_("Medicine"), MedicineFields, facts=list_facts, badges=list_badges)
