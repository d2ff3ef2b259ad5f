"""Starter menus and the dishes that they consist of."""
