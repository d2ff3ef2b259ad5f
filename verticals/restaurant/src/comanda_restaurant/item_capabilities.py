"""The item capability of food."""

from typing import Final

from comanda.contracts import ItemCapability

from comanda_restaurant.schemas.items import DietaryFields

DIETARY: Final = ItemCapability(code="dietary", label="Dietary information", fields=DietaryFields)
