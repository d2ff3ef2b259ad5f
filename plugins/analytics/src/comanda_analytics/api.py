"""For other plugins: the periods of reports."""

from comanda_analytics.services.periods import ReportPeriod, resolve_period

__all__ = ["ReportPeriod", "resolve_period"]
