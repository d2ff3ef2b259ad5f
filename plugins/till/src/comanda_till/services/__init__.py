"""What the till asks of its store."""
