"""Applies migration histories, one per app, and holds those of core and of every first-party plugin."""
