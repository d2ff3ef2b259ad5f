"""Routes of the loyalty plugin."""
