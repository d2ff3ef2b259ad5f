"""The pages of resellers and their customers in the dashboard. The modules register their pages when imported."""

from typing import Final

from comanda.web.dashboard import DashboardPages

dashboard: Final = DashboardPages("reseller", "comanda_reseller.pages")
