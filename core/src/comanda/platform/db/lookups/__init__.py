"""Lookups that many requests make at the same moment."""
