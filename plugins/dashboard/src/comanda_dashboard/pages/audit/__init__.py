"""The audit log: what was done, in sentences."""
