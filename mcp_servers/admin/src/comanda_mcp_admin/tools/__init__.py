"""The tools, a module for each of core's nouns."""
