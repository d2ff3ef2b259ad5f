"""The pages of themes: their assets."""
