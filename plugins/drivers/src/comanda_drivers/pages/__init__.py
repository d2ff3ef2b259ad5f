"""The page for drivers."""
