"""The routes of owners' themes."""
