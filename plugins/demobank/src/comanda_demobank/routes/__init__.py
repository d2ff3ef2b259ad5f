"""Routes of the demo bank."""
