"""Request and response schemas of drivers and deliveries."""
