"""Whole menus at once: read from CSV or JSON, checked as a whole, compared with what is there, applied or only told."""
