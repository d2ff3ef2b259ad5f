"""Pages for guests: the menu with a cart, and the tracking of an order."""
