"""The page on which a guest follows an order."""
