"""Customers, and the guests that a store's orders tell of."""
