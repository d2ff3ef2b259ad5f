"""Installations of apps: an owner's consent, what it grants, and its end."""
