"""Customers who come to the store: at once, in a pick-up slot, by appointment."""
