"""Pages of invoices, for guests and in the dashboard."""
