"""The pages of hotels in the dashboard."""
