"""The pages of pharmacies in the dashboard."""
