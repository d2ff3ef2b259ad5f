"""Orders of customers: past ones, repeated ones, and carts that wait."""
