"""Records of drivers and deliveries, as services return them."""
