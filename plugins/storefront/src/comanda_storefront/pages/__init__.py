"""Pages of a store for its guests: the menu with a cart, and an order on its way."""
