"""Errors of backups."""


class BackupError(Exception):
    """A backup cannot be created or restored; the message is a sentence for the operator."""
