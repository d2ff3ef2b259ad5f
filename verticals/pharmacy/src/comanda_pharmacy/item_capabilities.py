"""The item capabilities of a pharmacy: the minimum age, and how medicines are sold."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import ItemCapability, Values
from comanda.web import N_, format_number
from comanda.web import gettext as _

from comanda_pharmacy.schemas import UNIT_LABELS, AgeFields, MedicineFields, PackUnit


def list_badges(values: Values) -> Sequence[str]:
    """Return that an item is sold on prescription alone, if it is."""
    return [_("Prescription only")] if values.get("is_prescription_only") else []


def list_facts(values: Values) -> Sequence[str]:
    """Return what the packs of an item contain, and how many of them an order may have."""
    packs = [(each["name"], each["content"], each["unit"]) for each in values.get("packs") or ()]
    facts = [f"{name}: {_describe(content, unit)}" for name, content, unit in packs]
    if values.get("pack_content") and values.get("pack_unit"):
        facts.insert(0, _("Content: %(content)s", content=_describe(values["pack_content"], values["pack_unit"])))
    if maximum := values.get("max_per_order"):
        facts.append(_("At most %(number)s per order", number=maximum))
    return facts


def _describe(content: float, unit: str) -> str:
    """Return a content with its unit, such as ``20 tablets``."""
    return f"{format_number(content)} {_(UNIT_LABELS[PackUnit(unit)])}"


AGE_GATE: Final = ItemCapability("age_gate", "Age restriction", AgeFields)
MEDICINE: Final = ItemCapability("medicine", N_("Medicine"), MedicineFields, facts=list_facts, badges=list_badges)
