"""Fitments of a store, and the items that they belong to."""
