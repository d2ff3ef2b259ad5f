"""The pages of languages."""
