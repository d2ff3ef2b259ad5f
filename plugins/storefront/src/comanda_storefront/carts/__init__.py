"""Carts: kept for an agent while a guest chooses, priced at each look, and turned into an order once."""
