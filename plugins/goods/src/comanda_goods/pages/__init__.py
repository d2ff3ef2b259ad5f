"""What guests read about goods."""
