"""Services of drivers and deliveries."""
