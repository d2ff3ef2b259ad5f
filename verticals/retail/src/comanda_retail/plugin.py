"""Shops: the store types retail, cosmetic and clothing."""
