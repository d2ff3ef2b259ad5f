"""The public pages of a store: its menu in the store's theme."""
