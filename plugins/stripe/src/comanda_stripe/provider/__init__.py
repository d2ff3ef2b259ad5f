"""Stripe as a payment provider."""
