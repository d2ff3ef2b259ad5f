"""Import and export of whole menus as CSV or JSON, with validation, comparison and dry runs."""
