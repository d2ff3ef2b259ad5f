"""Spans of this process."""
