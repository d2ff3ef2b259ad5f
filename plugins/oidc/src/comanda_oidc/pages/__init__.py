"""Pages of signing in at providers, and of the identities that are linked to an account."""
