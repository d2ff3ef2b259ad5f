"""Records that the services of resellers return."""
