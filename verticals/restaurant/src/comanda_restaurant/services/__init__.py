"""Starter menus and the items that they consist of."""
