"""The routes of reservations, one module per resource."""
