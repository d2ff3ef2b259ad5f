"""The nutrition facts of a dish: a table for guests, and what search engines read."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Values
from comanda.web import N_, format_number
from comanda.web import gettext as _

from comanda_food.schemas.nutrition import BASIS_LABELS, PORTION

# In the order of annex XV of Regulation (EU) No 1169/2011.
NUTRIENTS: Final[Mapping[str, str]] = {
    "fat_g": N_("Fat"),
    "saturates_g": N_("of which saturates"),
    "carbohydrate_g": N_("Carbohydrate"),
    "sugars_g": N_("of which sugars"),
    "fibre_g": N_("Fibre"),
    "protein_g": N_("Protein"),
    "salt_g": N_("Salt"),
}
# Properties of https://schema.org/NutritionInformation. It has sodium in place of salt.
PROPERTIES: Final[Mapping[str, str]] = {
    "fat_g": "fatContent",
    "saturates_g": "saturatedFatContent",
    "carbohydrate_g": "carbohydrateContent",
    "sugars_g": "sugarContent",
    "fibre_g": "fiberContent",
    "protein_g": "proteinContent",
}
SERVING_SIZES: Final = {"portion": "1 portion", "100g": "100 g", "100ml": "100 ml"}
# Salt is sodium times 2.5, by annex I of the regulation.
MG_SODIUM_PER_G_SALT: Final = 400


def list_portion(values: Values) -> Sequence[str]:
    """Return what a portion weighs, or how much of a drink it is."""
    if values.get("portion_g"):
        return [_("Portion: %(number)s g", number=format_number(values["portion_g"]))]
    if values.get("portion_ml"):
        return [_("Portion: %(number)s ml", number=format_number(values["portion_ml"]))]
    return ()


def list_nutrients(values: Values) -> Mapping[str, str]:
    """Return the nutrition facts of an item by their names, first what they are for; empty if it has none."""
    rows = {}
    if values.get("energy_kj") is not None:
        energy = {"kj": format_number(values["energy_kj"]), "kcal": format_number(values["energy_kcal"])}
        rows[_("Energy")] = _("%(kj)s kJ / %(kcal)s kcal", **energy)
    for name, label in NUTRIENTS.items():
        if values.get(name) is not None:
            rows[_(label)] = _("%(number)s g", number=format_number(values[name]))
    return {_("Nutrition facts for"): _(BASIS_LABELS[values["nutrition_basis"]]), **rows} if rows else {}


def describe_nutrition(values: Values) -> Mapping[str, Any]:
    """Return the nutrition facts of an item as schema.org has them; empty if it has none."""
    found = {name: f"{values[field]:g} g" for field, name in PROPERTIES.items() if values.get(field) is not None}
    if values.get("energy_kcal") is not None:
        found["calories"] = f"{values['energy_kcal']} kcal"
    if values.get("salt_g") is not None:
        found["sodiumContent"] = f"{round(values['salt_g'] * MG_SODIUM_PER_G_SALT)} mg"
    if not found:
        return {}
    basis = values["nutrition_basis"]
    size = f"{values['portion_g']:g} g" if basis == PORTION and values.get("portion_g") else SERVING_SIZES[basis]
    return {"nutrition": {"@type": "NutritionInformation", "servingSize": size, **found}}
