"""Clients: what they register, how they are known, and their secrets."""
