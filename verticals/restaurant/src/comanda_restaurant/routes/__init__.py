"""Routes of the restaurant vertical."""
