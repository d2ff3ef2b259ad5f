"""Pages of flower shops."""
