"""Mollie as a payment provider."""
