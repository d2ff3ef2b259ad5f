"""Routes of cash drawers."""
