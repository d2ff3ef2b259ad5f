"""Routes of owners, and of the people who work in a store."""
