"""The languages of pages: which one a person reads, and texts in it."""
