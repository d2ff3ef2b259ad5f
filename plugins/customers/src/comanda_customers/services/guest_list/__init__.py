"""Guests, with an account or without: who is the same person, what they ordered, and how owners find them."""
