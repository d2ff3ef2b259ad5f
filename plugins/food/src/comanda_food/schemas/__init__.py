"""The fields of items and orders."""
