"""Services of the kitchen display."""
