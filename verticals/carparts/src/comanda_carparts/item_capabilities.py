"""The item capability of car parts."""

from typing import Final

from comanda.contracts import ItemCapability

from comanda_carparts.pages.fitment_facts import list_facts, list_guest_facts
from comanda_carparts.schemas import FitmentFields
from comanda_carparts.services.fitment_store import save_item_fitments

FITMENT: Final = ItemCapability(
    "fitment",
    "Fits these vehicles",
    FitmentFields,
    saved=save_item_fitments,
    facts=list_facts,
    guest_facts=list_guest_facts,
)
