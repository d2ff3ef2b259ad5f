"""The routes of apprise."""
