"""The pages of deliveries in the dashboard."""

from typing import Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web.dashboard import DashboardPages

from comanda_drivers.participant import FULFILLMENT_MODE

dashboard: Final = DashboardPages("drivers", __name__, has_static=True)

NAVIGATION: Final = (
    NavigationEntry(
        N_("Drivers"), "/stores/{store_id}/drivers", "orders", "drivers:read", icon="scooter", position=40,
        modes=(FULFILLMENT_MODE,),
    ),
    NavigationEntry(
        N_("Delivery"), "/stores/{store_id}/delivery-areas", "settings", "restaurants:read", icon="truck", position=30,
        modes=(FULFILLMENT_MODE,),
    ),
)  # fmt: skip
