"""What guests and staff read of a dish."""
