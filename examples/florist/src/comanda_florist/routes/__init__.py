"""Routes of flower shops."""
