"""Records of the marketplace, as services return them."""
