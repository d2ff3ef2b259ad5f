"""The services of apprise."""
