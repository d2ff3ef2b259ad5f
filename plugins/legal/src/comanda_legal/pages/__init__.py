"""Pages for the guests of a store."""
