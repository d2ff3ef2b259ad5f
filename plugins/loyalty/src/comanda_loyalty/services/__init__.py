"""Services of the loyalty plugin."""
