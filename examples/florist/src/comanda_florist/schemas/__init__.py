"""Requests, answers and fields of flower shops."""
