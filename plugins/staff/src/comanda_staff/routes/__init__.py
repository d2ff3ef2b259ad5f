"""The routes of staff, one module per resource."""
