"""The home page of the app."""
