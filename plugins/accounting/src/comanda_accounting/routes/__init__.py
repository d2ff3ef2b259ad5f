"""The routes of accounting."""
