"""Connections to the database: through the pool of a process or singly, direct or through a pooler."""
