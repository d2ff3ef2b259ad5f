"""Routes of the kitchen display."""
