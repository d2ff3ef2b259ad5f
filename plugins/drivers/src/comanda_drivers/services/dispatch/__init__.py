"""Finding a driver for an order: by offers, or by the owner's choice."""
