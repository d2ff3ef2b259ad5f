"""Services of tool hire."""
