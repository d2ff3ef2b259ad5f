"""Pages that a person opens."""
