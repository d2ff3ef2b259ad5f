"""The routes of notifications."""
