"""The pages of entitlements in the dashboard. The modules register their pages when they are imported."""

from typing import Final

from comanda.web.dashboard import DashboardPages

dashboard: Final = DashboardPages("entitlements", __name__)
