"""Pages of parts shops."""
