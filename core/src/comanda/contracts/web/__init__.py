"""Pages, the dashboard, signing in on pages, and chapters of the documentation."""
