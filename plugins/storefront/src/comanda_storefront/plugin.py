"""Selling to the public: storefront tokens."""
