"""Pharmacies in the dashboard: the entries of the navigation."""

from typing import Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web.dashboard import DashboardPages

from comanda_pharmacy.item_capabilities import MEDICINE

dashboard: Final = DashboardPages("pharmacy", __name__)

READ: Final = "orders:read"
WRITE: Final = "orders:write"
READ_MENU: Final = "menu:read"
WRITE_MENU: Final = "menu:write"

NAVIGATION: Final = (
    NavigationEntry(
        N_("Releases"), "/stores/{store_id}/releases", "orders", READ, icon="shield", position=45,
        capability=MEDICINE.code,
    ),
    NavigationEntry(
        N_("Batches"), "/stores/{store_id}/batches", "menu", READ_MENU, icon="box", position=45,
        capability=MEDICINE.code,
    ),
)  # fmt: skip
