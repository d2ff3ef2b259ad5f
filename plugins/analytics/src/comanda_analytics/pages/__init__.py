"""Pages and panels of analytics in the dashboard."""
