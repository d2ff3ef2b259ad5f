"""Routes of withdrawals."""
