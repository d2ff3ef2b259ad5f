"""What is done with drivers and deliveries, by subject."""
