"""Orders that travel by carrier, and their shipments."""
