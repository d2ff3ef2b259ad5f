"""The vertical's routes."""
