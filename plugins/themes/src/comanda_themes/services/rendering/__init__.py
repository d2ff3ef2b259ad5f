"""Rendering of themes: a page's data in, markup out."""
