"""Records of payments, as services return them."""
