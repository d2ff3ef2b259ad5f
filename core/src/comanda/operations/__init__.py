"""What runs, watches, keeps and rehearses an installation."""
