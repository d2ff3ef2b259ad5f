"""Web pages of resellers and their customers."""
