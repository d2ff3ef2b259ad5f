"""The pages of apprise."""
