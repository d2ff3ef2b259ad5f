"""The pages of cash drawers."""
