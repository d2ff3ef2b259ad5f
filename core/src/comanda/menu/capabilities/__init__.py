"""Fields of items that come from item capabilities, and what they say of times and lines."""
