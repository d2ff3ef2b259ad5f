"""What customers and owners can do, over the tables."""
