"""The page of accounting in the dashboard."""
