"""The routes of languages."""
