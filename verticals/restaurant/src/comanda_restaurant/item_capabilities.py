"""The item capability of food."""

from collections.abc import Collection, Sequence
from typing import Final

from comanda.contracts import ItemCapability, Values
from comanda.web import N_
from comanda.web import gettext as _

from comanda_restaurant.schemas import DietaryFields

FLAGS: Final = {"is_vegan": N_("Vegan"), "is_halal": N_("Halal")}


def list_flags(values: Values) -> Collection[str]:
    """Return the diets that an item is suitable for."""
    return [name for name in FLAGS if values.get(name)]


def list_badges(values: Values) -> Sequence[str]:
    """Return the names of the diets that an item is suitable for."""
    return [_(FLAGS[name]) for name in list_flags(values)]


DIETARY: Final = ItemCapability(
    code="dietary",
    label=N_("Dietary information"),
    fields=DietaryFields,
    badges=list_badges,
    flags=FLAGS,
    list_flags=list_flags,
)
