"""The pharmacy vertical, and the age that some items ask for."""
