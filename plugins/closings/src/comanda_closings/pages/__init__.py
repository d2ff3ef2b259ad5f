"""Pages of day reports and closings in the dashboard."""
