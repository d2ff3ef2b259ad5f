"""Refunds: their lines, the tenders they go back to, and their settlement at a provider."""
