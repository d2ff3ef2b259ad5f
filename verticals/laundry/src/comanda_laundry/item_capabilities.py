"""The item capability of stores that clean what their customers bring."""

from typing import Final

from comanda.contracts import ItemCapability
from comanda.web import N_

from comanda_laundry.pages.service_facts import list_service_badges
from comanda_laundry.schemas import ServiceFields

GARMENT_CARE: Final = ItemCapability("garment_care", N_("Cleaning"), ServiceFields, badges=list_service_badges)
