"""What guests read of when items are sold."""
