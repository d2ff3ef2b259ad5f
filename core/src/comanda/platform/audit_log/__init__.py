"""The audit log: one entry for each write by an owner, a member of staff, an app or an agent."""
