"""Routes of tool hire."""
