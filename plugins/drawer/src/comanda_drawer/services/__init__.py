"""Services of cash drawers."""
