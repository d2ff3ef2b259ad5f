"""The pages of deliveries in the dashboard."""

from typing import Final

from comanda.web.dashboard import DashboardPages

dashboard: Final = DashboardPages("drivers", __name__)
