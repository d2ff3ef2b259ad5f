"""Pages of the loyalty plugin."""
