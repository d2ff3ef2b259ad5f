"""What stops a backup or a restore."""


class BackupError(Exception):
    """A backup cannot be made or brought back; the message is a sentence for the operator."""
