"""The pages of collection."""
