"""Pages for the guests of a store, and for its owner."""
