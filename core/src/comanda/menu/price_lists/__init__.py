"""Price lists: other prices for some order types, channels and times."""
