"""Routes of drivers and deliveries."""
