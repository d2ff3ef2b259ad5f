"""Services of hotels; the only package that writes to their tables."""
