"""Drivers: their accounts, login, shifts and locations."""
