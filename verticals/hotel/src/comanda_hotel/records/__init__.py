"""Records of the hotel, as services return them."""
