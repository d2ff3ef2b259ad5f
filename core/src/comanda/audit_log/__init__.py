"""The audit log: one entry for each write that an owner, a member of staff, an app or an agent makes."""
