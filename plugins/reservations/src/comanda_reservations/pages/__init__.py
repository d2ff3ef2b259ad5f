"""The pages of reservations in the dashboard."""
