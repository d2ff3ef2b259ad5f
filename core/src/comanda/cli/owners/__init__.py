"""Commands about owners, and what is theirs."""
