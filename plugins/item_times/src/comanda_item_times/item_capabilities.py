"""The item capability of stores whose menus change with the time of day and the season."""

from typing import Final

from comanda.contracts import ItemCapability
from comanda.web import N_

from comanda_item_times.pages.time_facts import list_times
from comanda_item_times.schemas import TimeFields
from comanda_item_times.services.orderability import find_orderability

ITEM_TIMES: Final = ItemCapability(
    "item_times", N_("Times of sale"), TimeFields, orderable_at=find_orderability, facts=list_times
)
