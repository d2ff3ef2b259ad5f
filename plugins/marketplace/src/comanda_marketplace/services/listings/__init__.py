"""Listings of apps: their review, their screenshots and how owners see them."""
