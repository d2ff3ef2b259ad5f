"""The routes of the till."""
