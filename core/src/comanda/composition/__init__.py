"""One application from what the installed plugins declare."""
