"""The tools, a module for each of their subjects."""
