"""Orders as plugins take part in them: bodies, modes, charges, participants, statuses, and sections of records."""
