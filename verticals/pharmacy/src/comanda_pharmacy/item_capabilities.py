"""The item capability of age-restricted goods."""

from typing import Final

from comanda.contracts import ItemCapability

from comanda_pharmacy.schemas import AgeFields

AGE_GATE: Final = ItemCapability("age_gate", "Age restriction", AgeFields)
