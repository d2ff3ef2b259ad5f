"""Services for plugins that bring in orders."""
