"""The item capability of bouquets."""

from typing import Final

from comanda.contracts import ItemCapability

from comanda_florist.schemas.items import BouquetFields

BOUQUET: Final = ItemCapability(code="bouquet", label="Bouquets", fields=BouquetFields)
