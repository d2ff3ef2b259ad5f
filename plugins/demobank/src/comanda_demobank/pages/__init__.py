"""Pages of the demo bank."""
