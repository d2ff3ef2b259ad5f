"""Records of webhooks, as services return them."""
