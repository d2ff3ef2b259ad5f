"""The pages of the dashboard."""

from typing import Final

from comanda.web.dashboard import DashboardPages

dashboard: Final = DashboardPages("dashboard", __name__, has_static=True)
