"""Services of flower shops."""
