"""The routes of the kitchen."""
