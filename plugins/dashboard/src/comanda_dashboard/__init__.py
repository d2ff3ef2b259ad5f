"""The dashboard: orders, menu, stores and the account in a browser."""
