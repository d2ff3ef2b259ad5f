"""Stores and their menus: types, settings, hosts, items, and texts in the languages of guests."""
