"""Records of customers, as services return them."""
