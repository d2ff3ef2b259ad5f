"""What a database remembers of the plugins that have run on it."""
